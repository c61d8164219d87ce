import { sql } from 'kysely';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { corpusDiseaseChanged, corpusSceneChanged } from '../../../events/corpus.ts';
import { corpusErrors } from '../contract/errors.ts';
import { corpusPermissions } from '../contract/permissions.ts';
import { corpusRoutes } from '../contract/routes.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { diseaseImporter } from './diseaseImporter.ts';
import { trialFacts } from './facts/trialFacts.ts';
import { corpusHandlers } from './handlers.ts';
import { variableReference } from './reference/writeVariables.ts';

export const corpusModule: ServerModuleFactory = (kernel) => ({
  domain: 'corpus',
  permissions: Object.values(corpusPermissions),
  routes: corpusRoutes,
  errors: corpusErrors,
  events: [corpusDiseaseChanged, corpusSceneChanged],
  handlers: corpusHandlers(kernel, trialFacts),
  importers: [diseaseImporter],
  reference: [variableReference],
  firstSteps: [
    {
      label: '新增病种',
      path: '/corpus',
      permission: corpusPermissions['disease.edit'].code,
      fact: sql`exists (select from corpus_disease where available = 1)`,
    },
  ],
  demo: writeDemo,
});
