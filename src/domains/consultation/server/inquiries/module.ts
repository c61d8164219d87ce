import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { consultationConsumers } from '../consumers.ts';
import { writeConsultations } from '../demo/writeDemo.ts';
import { deskHandlers } from '../desks/handlers.ts';
import { routeHandlers } from '../desks/route.ts';
import { routedJob } from '../desks/routed.ts';
import { unpaidRouteJob } from '../desks/unpaid.ts';
import { groupActions } from '../groups/actions.ts';
import { closeRestingJob } from '../groups/close.ts';
import { groupLists } from '../groups/lists.ts';
import { ofPatientHandlers } from '../groups/ofPatient.ts';
import { sayJob } from '../groups/say.ts';
import { viewHandlers } from '../groups/views.ts';
import { afterMessagesJob } from '../hearing/afterMessages.ts';
import { readWordsJob } from '../hooks.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { dutyHandlers } from '../people/duty.ts';
import { handOnHandlers } from '../queue/handOn.ts';
import { preview } from '../queue/preview.ts';
import { queueJob } from '../queue/jobs.ts';
import { take, takeNextHandler } from '../queue/take.ts';
import { userHandlers } from '../users/handlers.ts';
import { inquiryActions } from './actions.ts';
import { createHandlers } from './createHandlers.ts';
import { deadlinesJob } from './jobs.ts';
import { inquiryReads } from './readHandlers.ts';

/** Inquiries, their groups, the assistants' queue and the desks. */
export const inquiriesModule: FeatureModule = {
  handlers: (kernel) => [
    ...inquiryReads,
    ...inquiryActions(kernel),
    ...createHandlers(kernel),
    ...groupLists(kernel),
    ...ofPatientHandlers,
    ...groupActions(kernel),
    ...viewHandlers,
    take(kernel),
    preview(kernel),
    takeNextHandler(kernel),
    ...handOnHandlers(kernel),
    ...dutyHandlers(kernel),
    ...deskHandlers,
    ...routeHandlers(kernel),
    ...userHandlers(kernel),
  ],
  // A registry of jobs of different payloads: each is called with its own payload only.
  jobs: [
    sayJob,
    afterMessagesJob,
    deadlinesJob,
    queueJob,
    readWordsJob,
    closeRestingJob,
    routedJob,
    unpaidRouteJob,
  ] as readonly JobDeclaration<never>[],
  consumers: consultationConsumers,
  demo: writeConsultations,
};
