import { lazy } from 'react';
import { ledgerPanelPlace } from '#kernel/web/kit/ledgerPanelPlace.ts';
import type { WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';

/** The browser half of the ledger: a panel that pages of other domains mount. */
export const ledgerWeb: WebModule = {
  domain: 'ledger',
  pages: [],
  slots: [
    fill(
      ledgerPanelPlace,
      lazy(() => import('./LedgerPanel.tsx')),
    ),
  ],
};
