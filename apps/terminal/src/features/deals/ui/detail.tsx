import { useSearchParams } from 'react-router-dom';
import { DealPage } from '../../../deals/ui/deal-page.js';
import { DEALS_PAGE } from './deals-head.js';

/** One deal by the id of the address. */
export default function Detail() {
  const id = useSearchParams()[0].get('id') ?? '';
  return (
    <div className={DEALS_PAGE}>
      <DealPage key={id} id={id} back="/c2cOrder" />
    </div>
  );
}
