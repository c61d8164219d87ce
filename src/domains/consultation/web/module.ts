import { lazy } from 'react';
import { followTimeline, patientTabPlaces } from '#kernel/web/kit/patientPlaces.ts';
import { pagesOf, type WebModule } from '#kernel/web/module.ts';
import { fill } from '#kernel/web/slots.tsx';
import { consultationRoutes } from '../contract/routes.ts';
import { leaveChat } from './assistantIM/desk/holder.ts';

/** The browser half of consultation. */
export const consultationWeb: WebModule = {
  domain: 'consultation',
  pages: pagesOf(consultationRoutes, {
    '/assistantIM': () => import('./assistantIM/AssistantIM.tsx'),
    '/visitRecords': () => import('./visitRecords/VisitRecords.tsx'),
  }),
  slots: [
    fill(
      patientTabPlaces.visits,
      lazy(() => import('./patientRecord/VisitTab.tsx')),
    ),
    fill(
      followTimeline,
      lazy(() => import('./patientRecord/FollowUps.tsx')),
      200,
    ),
  ],
  logoutSteps: [leaveChat],
};
