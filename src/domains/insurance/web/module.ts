import { pagesOf, type WebModule } from '../../../kernel/web/module.ts';
import { controlRoutes } from '../contract/routes.ts';

/** The browser half of insurance. */
export const insuranceWeb: WebModule = {
  domain: 'insurance',
  pages: pagesOf(controlRoutes, {
    '/controlModule': () => import('./controls/ControlModule.tsx'),
    '/controlRules': { load: () => import('./controls/ControlRules.tsx'), record: ['ruleId', 'moduleId'] },
  }),
};
