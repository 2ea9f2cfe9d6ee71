import { Bind } from './bind.js';

export default function BindPhone() {
  return <Bind kind="mobile" />;
}
