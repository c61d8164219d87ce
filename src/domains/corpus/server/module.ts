import { sql } from 'kysely';
import { joinFeatures } from '#kernel/server/featureModule.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import {
  corpusDiseaseChanged,
  corpusFormSubmitted,
  corpusSceneChanged,
  corpusTaskCompleted,
  corpusTaskCreated,
  corpusAdverseEventReported,
  runEntered,
  runFinished,
  runStopped,
} from '#events/corpus.ts';
import { corpusErrors } from '../contract/errors.ts';
import { materialType, wordLevel } from '../contract/materials/dictionaries.ts';
import { materialErrors } from '../contract/materials/errors.ts';
import { reviewMachine, revisionMachine } from '../contract/materials/review.ts';
import { alertLevel, alertTask, questionType } from '../contract/questionnaires/dictionaries.ts';
import { questionnaireErrors } from '../contract/questionnaires/errors.ts';
import { corpusPermissions } from '../contract/permissions.ts';
import { corpusRoutes } from '../contract/routes.ts';
import { taskErrors } from '../contract/tasks/errors.ts';
import { audienceResult, campaignMachine } from '../contract/campaigns/dictionaries.ts';
import { campaignErrors } from '../contract/campaigns/errors.ts';
import { autoKind, autoMachine, autoScope, autoTrigger, quietMode } from '../contract/welcome/dictionaries.ts';
import { welcomeErrors } from '../contract/welcome/errors.ts';
import { conditionsModule } from './conditions/module.ts';
import { writeDemo } from './demo/writeDemo.ts';
import { diseasesModule } from './diseases/module.ts';
import { scenesModule } from './scenes/module.ts';
import { scheduleModule } from './schedule/module.ts';
import { writeEngineDemo } from './engine/demo.ts';
import { engineModule } from './engine/module.ts';
import { engineStatus } from './engine/status.ts';
import { questionnairesModule } from './questionnaires/module.ts';
import { materialObjects } from './materials/objectType.ts';
import { materialsModule } from './materials/module.ts';
import { writeTaskDemo } from './tasks/demo.ts';
import { tasksModule } from './tasks/module.ts';
import { writeCampaignDemo } from './campaigns/demo.ts';
import { campaignsModule } from './campaigns/module.ts';
import { writeWelcomeDemo } from './welcome/demo.ts';
import { welcomeModule } from './welcome/module.ts';
import { statsModule } from './stats/module.ts';
import { nightlyJob } from './nightly.ts';
import { desk as taskDesk } from './tasks/take.ts';

/** Follow-up tasks that somebody took up or was given. */
export const openTasks = taskDesk.openWork;

export const corpusModule: ServerModuleFactory = (kernel) => {
  const features = joinFeatures(kernel, [
    diseasesModule,
    scenesModule,
    conditionsModule,
    scheduleModule,
    // Diseases with their scenes, conditions and schedules.
    { demo: writeDemo },
    questionnairesModule,
    // Its demonstration names questionnaires.
    materialsModule(),
    engineModule,
    tasksModule,
    statsModule,
    welcomeModule,
    campaignsModule,
    { jobs: [nightlyJob] },
  ]);
  return {
    ...features,
    domain: 'corpus',
    permissions: Object.values(corpusPermissions),
    routes: corpusRoutes,
    objectTypes: [materialObjects],
    errors: { ...corpusErrors, ...materialErrors, ...questionnaireErrors, ...taskErrors, ...welcomeErrors, ...campaignErrors },
    dictionaries: [
      materialType,
      wordLevel,
      reviewMachine.dictionary,
      revisionMachine.dictionary,
      questionType,
      alertLevel,
      alertTask,
      autoKind,
      autoTrigger,
      autoScope,
      quietMode,
      autoMachine.dictionary,
      audienceResult,
      campaignMachine.dictionary,
    ],
    events: [
      corpusDiseaseChanged,
      corpusFormSubmitted,
      corpusAdverseEventReported,
      corpusSceneChanged,
      corpusTaskCompleted,
      corpusTaskCreated,
      runEntered,
      runFinished,
      runStopped,
    ],
    firstSteps: [
      {
        label: '新增病种',
        path: '/corpus',
        permission: corpusPermissions['disease.edit'].code,
        fact: sql`exists (select from corpus_disease where available = 1)`,
      },
    ],
    status: [engineStatus],
    demoAfter: async (demo) => {
      await writeEngineDemo(demo);
      // Of runs, touches and answers that are there.
      await writeTaskDemo(demo);
      await writeWelcomeDemo(demo);
      await writeCampaignDemo(demo);
    },
  };
};
