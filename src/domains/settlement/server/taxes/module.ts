import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { JobDeclaration } from '#kernel/server/kernel.ts';
import { nightlyJob } from '../invariants.ts';
import { declare } from './declare.ts';
import { declarationFile } from './file.ts';
import { periodExport, periodList, taxMonthExport, taxMonthList } from './list.ts';
import { correctionReminder } from './month.ts';
import { abort, close, start } from './periods.ts';

/** What was withheld is declared month by month, and the month of the book is closed behind it. */
export const taxesModule: FeatureModule = {
  handlers: (kernel) => [
    taxMonthList.handler,
    declarationFile(kernel),
    declare(kernel),
    periodList.handler,
    start(kernel),
    close(kernel),
    abort(kernel),
  ],
  exports: [taxMonthExport, periodExport],
  jobs: (kernel) => [correctionReminder as JobDeclaration<never>, nightlyJob(kernel) as JobDeclaration<never>],
};
