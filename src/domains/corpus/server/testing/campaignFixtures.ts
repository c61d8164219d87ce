import type { InputOf } from '#kernel/contract/call.ts';
import { days, dayOf, plusMs, startOfDay } from '#kernel/contract/time.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { addCampaign, auditCampaign, previewCampaign } from '../../contract/campaigns/calls.ts';
import { fresh, makeDisease } from './fixtures.ts';
import { makeText } from './engineWorld.ts';

type Wish = Partial<InputOf<typeof addCampaign>>;

export const campaigner = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['corpus.corpus.view', 'corpus.campaign.edit', 'corpus.corpus.export'] });
export const campaignAuditor = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['corpus.corpus.view', 'corpus.campaign.audit'] });

/** Tomorrow at ten. */
export const tomorrow = (app: TestApp): string => startOfDay(dayOf(plusMs(app.clock.now(), days(1))), '10:00');

export const campaignFields = async (app: TestApp, wish: Wish = {}): Promise<InputOf<typeof addCampaign>> => ({
  name: fresh('群发'),
  diseaseIds: wish.diseaseIds ?? [(await makeDisease(app)).id],
  target: 'AUTO',
  touchKind: 'CARE',
  materialIds: wish.materialIds ?? [await makeText(app)],
  sendAt: tomorrow(app),
  ...wish,
});

export async function makeCampaign(app: TestApp, wish: Wish = {}, as?: TestStaff) {
  return app.ok(addCampaign, await campaignFields(app, wish), { as: as ?? (await campaigner(app)) });
}

/** A campaign that waits for its time. */
export async function makeScheduled(app: TestApp, wish: Wish = {}) {
  const as = await campaigner(app);
  const { id, version } = await makeCampaign(app, wish, as);
  const looked = await app.ok(previewCampaign, { id, version }, { as });
  const submitted = await app.ok(auditCampaign, { id, version: looked.version, action: 'submit' }, { as });
  const passed = await app.ok(auditCampaign, { id, version: submitted.version, action: 'approve' }, { as: await campaignAuditor(app) });
  return { id, version: passed.version, as };
}
