import type { FeatureModule } from '#kernel/server/featureModule.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { query } from '#kernel/server/handler.ts';
import { queryAgentSelectOptions } from '../../contract/calls/options.ts';
import { attachments } from '../attachments.ts';
import { own } from '../database.ts';
import { agentImporter } from '../imports/agentImporter.ts';
import { agentOptions } from '../options.ts';
import { changeAgent, moveAgent, revealAgent } from './agentHandlers.ts';
import { agentDetail, agentTree } from './agentReads.ts';
import { agentExport, agentList } from './list.ts';
import { addAgentHandler, addLinesHandler, modifyAgentHandler } from './saveAgent.ts';

export function agentsModule({ secrets }: Kernel): FeatureModule {
  const list = agentList(secrets);
  return {
    handlers: [
      list.handler,
      agentDetail,
      agentTree,
      query(queryAgentSelectOptions, (input, { db, staff }) => agentOptions(own(db), input, staff)),
      addAgentHandler(secrets, attachments),
      modifyAgentHandler(secrets, attachments),
      addLinesHandler,
      changeAgent,
      moveAgent,
      revealAgent(secrets),
    ],
    exports: [agentExport(list, secrets)],
    importers: [agentImporter(secrets)],
  };
}
