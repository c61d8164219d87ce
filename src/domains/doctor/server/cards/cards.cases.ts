import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  batchGenerateDoctorCard,
  disableDoctorCard,
  downloadDoctorCard,
  exportDoctorCardZip,
  generateDoctorCard,
  previewDoctorCard,
  queryDoctorCardList,
  queryDoctorCardTask,
} from '../../contract/calls/cards.ts';
import { keeper, makeDoctor, NONE } from '../testing/staffing.ts';

const looks = { template: 'BLUE' as const, headline: '', showFields: ['SPECIALTY' as const] };

async function ready(app: TestApp): Promise<string> {
  const doctorId = await makeDoctor(app);
  await app.ok(generateDoctorCard, { doctorId, ...looks }, { as: await keeper(app) });
  await app.runDue();
  return doctorId;
}

export const cardCases: readonly CallCase[] = [
  callCase(queryDoctorCardList, async (app) => {
    await ready(app);
    return { state: ['READY' as const] };
  }),
  callCase(previewDoctorCard, async (app) => ({ doctorId: await ready(app) }), { foreign: async () => ({ doctorId: NONE }) }),
  callCase(generateDoctorCard, async (app) => ({ doctorId: await makeDoctor(app), ...looks }), {
    foreign: async () => ({ doctorId: NONE, ...looks }),
  }),
  callCase(batchGenerateDoctorCard, async (app) => ({ doctorIds: [await makeDoctor(app)], ...looks })),
  callCase(
    queryDoctorCardTask,
    async (app, as) => ({
      taskId: (await app.ok(batchGenerateDoctorCard, { doctorIds: [await makeDoctor(app)], ...looks }, { as: as! })).taskId,
    }),
    { foreign: async () => ({ taskId: NONE }) },
  ),
  callCase(disableDoctorCard, async (app) => ({ doctorId: await ready(app), version: 3 }), {
    foreign: async () => ({ doctorId: NONE, version: 1 }),
  }),
  callCase(downloadDoctorCard, async (app) => ({ doctorId: await ready(app) }), { foreign: async () => ({ doctorId: NONE }) }),
  callCase(exportDoctorCardZip, async (app) => ({ doctorIds: [await ready(app)] })),
];
