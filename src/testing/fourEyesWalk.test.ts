import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBanner, auditBanner, modifyBanner } from '../domains/content/contract/banners/calls.ts';
import { bannerInput, judge } from '../domains/content/server/testing/deliveries.ts';
import { auditGrant, submitGrant } from '../domains/card/contract/calls/grants.ts';
import { draftGrant } from '../domains/card/server/testing/grants.ts';
import { loggedOf } from './calls/facts.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const both = (): Promise<TestStaff> =>
  app.staff({
    permissions: [
      'content.content.view',
      'content.banner.edit',
      'content.banner.audit',
      'card.grant.view',
      'card.grant.edit',
      'card.grant.approve',
    ],
  });

describe('who wrote, changed or submitted', () => {
  it('a banner does not pass it, is told what he did, and the attempt is logged', async () => {
    const [author, editor, submitter] = [await both(), await both(), await both()];
    const made = await app.ok(addBanner, await bannerInput(app, author), { as: author });
    const changed = await app.ok(
      modifyBanner,
      { id: made.id, version: made.version, ...(await bannerInput(app, editor, { imageFileId: null })) },
      { as: editor },
    );
    const { version } = await app.ok(auditBanner, { id: made.id, version: changed.version, action: 'submit' }, { as: submitter });
    const verdict = { id: made.id, version, action: 'approve' as const };
    expect(await app.refused(auditBanner, verdict, { as: author })).toMatchObject({
      code: 'SCM04006',
      message: '您填写了这份单据，不能再审核它，请由他人处理',
    });
    for (const as of [editor, submitter])
      expect(await app.refused(auditBanner, verdict, { as })).toMatchObject({
        code: 'SCM04006',
        message: '您修改或提交过这份单据，不能再审核它，请由他人处理',
      });
    expect(await loggedOf(app, auditBanner, author)).toBe(1);
    await app.ok(auditBanner, verdict, { as: await judge(app) });
  });

  it('a grant of money does not pass it', async () => {
    const [author, submitter, third] = [await both(), await both(), await both()];
    const draft = await draftGrant(app, author);
    const { version } = await app.ok(submitGrant, draft, { as: submitter });
    const verdict = { grantId: draft.grantId, version, stage: 'FIRST' as const, decision: 'approve' as const };
    for (const as of [author, submitter]) expect(await app.refused(auditGrant, verdict, { as })).toMatchObject({ code: 'SCM17003' });
    await app.ok(auditGrant, verdict, { as: third });
  });
});
