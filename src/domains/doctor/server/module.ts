import { sql } from 'kysely';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { doctorEvents } from '#events/doctor.ts';
import { cardFields } from '../contract/calls/cards.ts';
import * as dictionaries from '../contract/dictionaries.ts';
import { doctorErrors } from '../contract/errors.ts';
import * as orderStates from '../contract/orderStates.ts';
import { doctorMachinePermissions, doctorPermissions } from '../contract/permissions.ts';
import { doctorRoutes } from '../contract/routes.ts';
import * as staffStates from '../contract/staffStates.ts';
import * as states from '../contract/states.ts';
import { assistantsModule } from './assistants/module.ts';
import { attributionModule } from './attribution/module.ts';
import { certsModule } from './certs/module.ts';
import { configModule } from './config/module.ts';
import { doctorObjects } from './doctors/record/objectType.ts';
import { doctorsModule } from './doctors/module.ts';
import { writeSwitches } from './items/demoSwitches.ts';
import { itemsModule } from './items/module.ts';
import { nightlyJob } from './nightly.ts';
import { openingsModule } from './openings/module.ts';
import { ordersModule } from './orders/module.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { doctorSet } from './pages/datasets.ts';
import { qualModule } from './qual/module.ts';
import { cardsModule } from './cards/module.ts';
import { recommendationsModule } from './recommendations/module.ts';
import { refsModule } from './refs/module.ts';
import { desk as qualDesk } from './qual/desk.ts';

/** In the order in which their demonstration rows build on one another. */
const features: readonly FeatureModule[] = [
  refsModule,
  doctorsModule,
  certsModule,
  configModule,
  itemsModule,
  openingsModule,
  assistantsModule,
  recommendationsModule,
  cardsModule,
  qualModule,
  attributionModule,
  ordersModule,
];

const machines = [...Object.values(states), ...Object.values(staffStates), ...Object.values(orderStates)];

/** Doctors: on board, qualified, with priced services, assistants, orders, and the channel that brought whom. */
export { openConversations } from './assistants/openWork.ts';
/** Applications of doctors that somebody has under review. */
export const openApplications = qualDesk.openWork;

export const doctorModule: ServerModuleFactory = (kernel) => ({
  domain: 'doctor',
  permissions: [...Object.values(doctorPermissions), ...Object.values(doctorMachinePermissions)],
  routes: doctorRoutes,
  errors: doctorErrors,
  dictionaries: [
    ...Object.values(dictionaries).filter((value) => typeof value === 'object' && 'options' in value),
    cardFields,
    ...machines.map((machine) => machine.dictionary),
  ],
  events: doctorEvents,
  ...joinFeatures(kernel, [...features, { jobs: [nightlyJob(features)], demo: writeSwitches }]),
  objectTypes: [doctorObjects],
  datasets: [doctorSet],
  firstSteps: [
    {
      label: '录入医生',
      path: '/doctorManagement',
      permission: doctorPermissions['qual.enter'].code,
      fact: sql`exists (select from doctor_doctor)`,
    },
  ],
});
