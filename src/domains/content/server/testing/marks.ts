import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { makeChannel } from '#domains/channel/server/testing/fixtures.ts';
import { bindMark } from '../../contract/marks/calls/bindings.ts';
import { addTagGroup } from '../../contract/marks/calls/groups.ts';
import { addMark } from '../../contract/marks/calls/marks.ts';

let count = 0;
/** A name that no test has used. */
export const fresh = (name: string) => `${name}${++count}`;

/** Somebody who keeps groups and marks, medical ones too. */
export const keeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['content.content.view', 'content.mark.edit', 'content.mark.sensitive'] });

export async function makeGroup(app: TestApp, more: Partial<InputOf<typeof addTagGroup>> = {}): Promise<string> {
  const input = { objectType: 'DOCTOR' as const, groupName: fresh('组'), ...more };
  return (await app.ok(addTagGroup, input, { as: await keeper(app) })).id;
}

export async function makeMark(app: TestApp, groupId?: string, more: Partial<InputOf<typeof addMark>> = {}): Promise<string> {
  const group = groupId ?? (await makeGroup(app));
  return (await app.ok(addMark, { groupId: group, markName: fresh('标签'), ...more }, { as: await keeper(app) })).id;
}

/** Somebody who puts marks on things and takes them away. */
export const binder = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['content.content.view', 'content.mark.bind', 'content.mark.sensitive'] });

/** A thing that carries marks: a channel. */
export const makeObject = async (app: TestApp): Promise<string> => (await makeChannel(app)).id;

/** A mark that a channel carries. */
export async function carrying(app: TestApp): Promise<string> {
  const mark = await makeMark(app, await makeGroup(app, { objectType: 'CHANNEL' }));
  await app.ok(bindMark, { markIds: [mark], objectType: 'CHANNEL', objectIds: [await makeObject(app)] }, { as: await binder(app) });
  return mark;
}
