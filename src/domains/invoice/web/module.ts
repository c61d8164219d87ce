import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { invoiceRoutes } from '../contract/routes.ts';

/** The browser half of invoice. */
export const invoiceWeb: WebModule = {
  domain: 'invoice',
  pages: pagesOf(invoiceRoutes, { '/invoice': () => import('./Invoice.tsx') }),
};
