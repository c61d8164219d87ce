import { pagesOf, type WebModule } from '../../../kernel/web/module.ts';
import { consultationRoutes } from '../contract/routes.ts';
import { leaveChat } from './assistantIM/desk/holder.ts';

/** The browser half of consultation. */
export const consultationWeb: WebModule = {
  domain: 'consultation',
  pages: pagesOf(consultationRoutes, {
    '/assistantIM': () => import('./assistantIM/AssistantIM.tsx'),
    '/visitRecords': () => import('./visitRecords/VisitRecords.tsx'),
  }),
  logoutSteps: [leaveChat],
};
