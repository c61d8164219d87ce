import { sql } from 'kysely';
import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { doctorEvents } from '../../../events/doctor.ts';
import { cardFields } from '../contract/cardFields.ts';
import * as dictionaries from '../contract/dictionaries.ts';
import { doctorErrors } from '../contract/errors.ts';
import * as orderStates from '../contract/orderStates.ts';
import { doctorPermissions } from '../contract/permissions.ts';
import { doctorRoutes } from '../contract/routes.ts';
import * as staffStates from '../contract/staffStates.ts';
import * as states from '../contract/states.ts';
import { assistantsPart } from './assistants/wiring.ts';
import { attributionPart } from './attribution/wiring.ts';
import { certsPart } from './certs/wiring.ts';
import { configPart } from './config/wiring.ts';
import { doctorObjects } from './doctors/objectType.ts';
import { doctorsPart } from './doctors/wiring.ts';
import { writeSwitches } from './items/demoSwitches.ts';
import { itemsPart } from './items/wiring.ts';
import { nightlyJob } from './nightly.ts';
import { openingsPart } from './openings/wiring.ts';
import { ordersPart } from './orders/wiring.ts';
import { joinParts, type ModulePart } from '../../../kernel/server/modulePart.ts';
import { doctorSet } from './pages/datasets.ts';
import { qualPart } from './qual/wiring.ts';
import { cardsPart } from './cards/wiring.ts';
import { recommendationsPart } from './recommendations/wiring.ts';
import { refsPart } from './refs/wiring.ts';

/** In the order in which their demonstration rows build on one another. */
const parts: readonly ModulePart[] = [
  refsPart,
  doctorsPart,
  certsPart,
  configPart,
  itemsPart,
  openingsPart,
  assistantsPart,
  recommendationsPart,
  cardsPart,
  qualPart,
  attributionPart,
  ordersPart,
];

const machines = [...Object.values(states), ...Object.values(staffStates), ...Object.values(orderStates)];

/** Doctors: on board, qualified, with priced services, assistants, orders, and the channel that brought whom. */
export const doctorModule: ServerModuleFactory = (kernel) => ({
  domain: 'doctor',
  permissions: Object.values(doctorPermissions),
  routes: doctorRoutes,
  errors: doctorErrors,
  dictionaries: [
    ...Object.values(dictionaries).filter((value) => typeof value === 'object' && 'options' in value),
    cardFields,
    ...machines.map((machine) => machine.dictionary),
  ],
  events: doctorEvents,
  ...joinParts(kernel, [...parts, { jobs: [nightlyJob(parts)], demo: writeSwitches }]),
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
