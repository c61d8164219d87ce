import { hospitalChanged } from '#events/institution.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { ownTx } from '../database.ts';
import { publishStore } from '../stores/publish.ts';
import { writeApplications } from './applications.ts';
import { writeHospitals } from './hospitals.ts';
import { writeStores } from './stores.ts';

/** Hospitals of twelve cities, applications in every state, chains and drugstores with licences at every reminder day. */
export async function writeDemo(ctx: DemoContext): Promise<void> {
  const hospitals = await writeHospitals(ctx);
  await writeApplications(ctx, hospitals);
  await writeStores(ctx);
  // The other domains keep copies.
  await ctx.transaction(async (writing) => {
    const own = ownTx(writing.tx);
    const written = await own
      .selectFrom('institutionHospital')
      .select(['id', 'name', 'level', 'levelRank', 'adcode', 'state'])
      .orderBy('id')
      .execute();
    for (const { id, ...facts } of written) await writing.publish(hospitalChanged, id, { hospitalId: id, ...facts });
    for (const store of await own.selectFrom('institutionDrugstore').selectAll().orderBy('id').execute())
      await publishStore(writing, store);
  });
}
