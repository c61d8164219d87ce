import type { DemoContext } from '../../../../kernel/server/module.ts';
import { writeApplications } from './applications.ts';
import { writeHospitals } from './hospitals.ts';
import { writeStores } from './stores.ts';

/** Hospitals of twelve cities, applications in every state, chains and drugstores with licences at every reminder day. */
export async function writeDemo(ctx: DemoContext): Promise<void> {
  const hospitals = await writeHospitals(ctx);
  await writeApplications(ctx, hospitals);
  await writeStores(ctx);
}
