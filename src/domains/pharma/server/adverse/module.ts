import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { developmentMailer } from '../mailer.ts';
import { adverseHandlers } from './adverseHandlers.ts';
import { adverseExport, adverseList } from './list.ts';

/** Reports of adverse reactions, with a legal term. */
export const adverseModule: FeatureModule = {
  handlers: (kernel) => [adverseList.handler, ...adverseHandlers(kernel, developmentMailer)],
  exports: ({ secrets }) => [adverseExport(secrets)],
};
