import type { JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { botsJob } from '../bots/loop.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { inquiryActionHandlers } from './inquiryActions.ts';
import { changeDoctorHandlers } from './changeDoctor.ts';
import { recordHandlers } from './confirmRecord.ts';
import { exchangeHandlers } from './exchange.ts';
import { fileHandlers } from './files.ts';
import { groupHandlers } from './groups.ts';
import { myInquiryHandlers } from './myInquiry.ts';
import { ticketHandlers } from './tickets.ts';
import { treatHandlers } from './treat.ts';

/** Links for patients and doctors, and what they do on their own page. */
export const participantsModule: FeatureModule = {
  handlers: (kernel) => [
    ...ticketHandlers(kernel),
    ...exchangeHandlers(kernel),
    ...groupHandlers(kernel),
    ...myInquiryHandlers,
    ...inquiryActionHandlers(kernel),
    ...changeDoctorHandlers(kernel),
    ...treatHandlers(kernel),
    ...fileHandlers(kernel),
    ...recordHandlers(kernel),
  ],
  jobs: [botsJob] as readonly JobDeclaration<never>[],
};
