import { lazy } from 'react';
import { objectMarksPlace } from '#kernel/web/kit/objectMarksPlace.ts';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';
import { advertRoutes } from '../contract/adverts/routes.ts';
import { floorRoutes } from '../contract/floors/routes.ts';
import { markRoutes } from '../contract/marks/routes.ts';

/** The browser half of content. */
export const contentWeb: WebModule = {
  domain: 'content',
  pages: pagesOf([...floorRoutes, ...markRoutes, ...advertRoutes], {
    '/bannerConfig': () => import('./floors/BannerConfig.tsx'),
    '/advertiseManage': () => import('./adverts/AdvertiseManage.tsx'),
    '/markContent': () => import('./marks/MarkContent.tsx'),
  }),
  slots: [
    fill(
      objectMarksPlace,
      lazy(() => import('./marks/ObjectMarks.tsx')),
    ),
  ],
};
