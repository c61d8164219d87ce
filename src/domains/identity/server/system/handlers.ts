import { query, type Handler } from '#kernel/server/handler.ts';
import { queryIcd10List } from '../../contract/calls/icd10.ts';
import type { IdentityCore } from '../core.ts';
import { divisionsHandler } from './divisions.ts';
import { failedJobHandlers } from './failedJobs.ts';
import { firstStepsHandler } from './firstSteps.ts';
import { findIcd10, icd10 } from './icd10.ts';
import { mailboxHandler } from './mailbox.ts';
import { preferenceHandlers } from './preferences.ts';
import { statusHandler } from './status.ts';
import { tipsHandler } from './tips.ts';
import { workCalendarHandlers } from './workCalendar.ts';

/** The small system services: regions, address tips, disease codes, calendar, preferences, mailbox, failed jobs, state of the system. */
export const systemHandlers = (core: IdentityCore): Handler[] => [
  divisionsHandler(core),
  tipsHandler(core),
  query(queryIcd10List, ({ keyword, codes }, { db }) => (codes ? icd10(db, codes) : findIcd10(db, keyword ?? ''))),
  ...workCalendarHandlers,
  ...preferenceHandlers,
  firstStepsHandler(core.kernel),
  mailboxHandler(core),
  ...failedJobHandlers(core),
  statusHandler(core),
];
