import { lazy } from 'react';
import { lowcodePlace } from '#kernel/web/lowcodePlace.ts';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';
import { lowcodeRoutes } from '../contract/routes.ts';

const page = () => import('./page/LowcodePage.tsx');

/** The browser half of lowcode: the desk where pages are written, and the one page that shows them all. */
export const lowcodeWeb: WebModule = {
  domain: 'lowcode',
  pages: pagesOf(lowcodeRoutes, { '/amisPageV1': () => import('./pages/AmisPageV1.tsx'), '/:token': page }),
  slots: [fill(lowcodePlace, lazy(page))],
};
