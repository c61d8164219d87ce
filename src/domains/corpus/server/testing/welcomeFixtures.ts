import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addWelcomeMessage, auditWelcomeMessage } from '../../contract/welcome/calls.ts';
import type { AutoAction } from '../../contract/welcome/dictionaries.ts';
import { fresh } from './fixtures.ts';
import { makeEnabled, words } from './materialFixtures.ts';

export type Wish = Partial<InputOf<typeof addWelcomeMessage>>;

/** Writes automatic messages. */
export const writer = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['corpus.corpus.view', 'corpus.welcome.edit', 'corpus.corpus.export'] });
/** Judges them. */
export const judge = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: ['corpus.corpus.view', 'corpus.welcome.audit'] });

export const fieldsOf = async (app: TestApp, wish: Wish = {}): Promise<InputOf<typeof addWelcomeMessage>> => ({
  kind: 'WELCOME',
  name: fresh('欢迎'),
  triggerType: 'GROUP_CREATED',
  scopeType: 'DEFAULT',
  quietMode: 'IMMEDIATE',
  materialIds: wish.materialIds ?? [(await makeEnabled(app, words('{{患者称呼:您}}好，欢迎加入'))).id],
  ...wish,
});

interface StoredVersion {
  id: string;
  version: number;
}
export const makeMessage = async (app: TestApp, wish: Wish = {}, as?: TestStaff) =>
  app.ok(addWelcomeMessage, await fieldsOf(app, wish), { as: as ?? (await writer(app)) });

export const actOn = (app: TestApp, as: TestStaff, { id, version }: StoredVersion, action: AutoAction, opinion?: string) =>
  app.ok(auditWelcomeMessage, { id, version, action, ...(opinion && { opinion }) }, { as });

/** A message in use. */
export async function makeInUse(app: TestApp, wish: Wish = {}) {
  const as = await writer(app);
  return actOn(app, await judge(app), await actOn(app, as, await makeMessage(app, wish, as), 'submit'), 'approve');
}
