// Written by `npm run services` from the manifests of the services (service.json): change those.
import type { AnySimulatedProduct } from '@bourse/ledger-client';
import { PRODUCT as product1 } from '@bourse/service-template/simulation';

/** The products that run in every simulated exchange. */
export const PRODUCTS: readonly AnySimulatedProduct[] = [product1];
