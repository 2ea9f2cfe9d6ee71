import { Bind } from './bind.js';

export default function BindEmail() {
  return <Bind kind="email" />;
}
