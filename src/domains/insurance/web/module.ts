import type { WebModule } from '../../../kernel/web/module.ts';

/** The browser half of insurance. */
export const insuranceWeb: WebModule = { domain: 'insurance', pages: [] };
