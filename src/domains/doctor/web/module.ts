import { pagesOf, type WebModule } from '../../../kernel/web/module.ts';
import { doctorRoutes } from '../contract/routes.ts';

export const doctorWeb: WebModule = {
  domain: 'doctor',
  pages: pagesOf(doctorRoutes, {}),
};
