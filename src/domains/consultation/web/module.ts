import { pagesOf, type WebModule } from '../../../kernel/web/module.ts';
import { consultationRoutes } from '../contract/routes.ts';

/** The browser half of consultation. */
export const consultationWeb: WebModule = {
  domain: 'consultation',
  pages: pagesOf(consultationRoutes, {}),
};
