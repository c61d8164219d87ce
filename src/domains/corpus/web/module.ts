import { lazy } from 'react';
import { followTimeline, leftCorpusMenu } from '#kernel/web/layout/slots.ts';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';
import { corpusRoutes } from '../contract/routes.ts';

export const corpusWeb: WebModule = {
  domain: 'corpus',
  pages: pagesOf(corpusRoutes, {
    '/corpus': () => import('./CorpusPage.tsx'),
    '/welcomeMessage': () => import('./welcome/WelcomeMessages.tsx'),
    '/taskManagement': () => import('./tasks/TaskManagement.tsx'),
  }),
  slots: [
    fill(
      leftCorpusMenu,
      lazy(() => import('./menu/CorpusMenu.tsx')),
    ),
    fill(
      followTimeline,
      lazy(() => import('./runs/FollowTimeline.tsx')),
    ),
  ],
};
