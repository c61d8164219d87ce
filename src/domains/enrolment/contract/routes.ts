import { declareRoutes } from '#kernel/contract/route.ts';

export const enrolmentRoutes = declareRoutes('enrolment', []);
