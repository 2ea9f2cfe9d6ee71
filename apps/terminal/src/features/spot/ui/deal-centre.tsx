export default function DealCentre() {
  return <div />;
}
