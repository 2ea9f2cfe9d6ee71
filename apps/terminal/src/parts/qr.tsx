import { QRCodeSVG } from 'qrcode.react';

/**
 * A QR code on white, which every reader wants in both themes. A module of its own: it loads when an address is shown.
 */
export default function Qr({ value, title }: { value: string; title: string }) {
  return <QRCodeSVG value={value} size={144} title={title} level="M" role="img" />;
}
