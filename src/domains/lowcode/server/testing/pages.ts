import { own } from '../database.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addPage, publishPage } from '../../contract/calls/pages.ts';
import { lowcodePermissions } from '../../contract/permissions.ts';

let last = 0;
/** A token that no page has. */
export const freshToken = () => {
  last += 1;
  return `probe${last}x`;
};

const makers = new WeakMap<TestApp, Promise<{ editor: TestStaff; publisher: TestStaff }>>();

/** Who writes pages and who publishes them: two people, as four eyes want it. */
export function makersOf(app: TestApp) {
  const known =
    makers.get(app) ??
    (async () => ({
      editor: await app.staff({ permissions: ['lowcode.page.view', 'lowcode.page.edit', 'lowcode.page.remove'] }),
      publisher: await app.staff({
        permissions: [
          ...Object.values(lowcodePermissions).map(({ code }) => code),
          'institution.hospital.view',
          'institution.hospital.edit',
          'institution.hospital.export',
        ],
      }),
    }))();
  makers.set(app, known);
  return known;
}

export const listDefinition = (more: object = {}) => ({
  type: 'page',
  body: [
    {
      type: 'crud',
      api: '/ds/institution.hospital/list',
      placeholder: '没有数据',
      columns: [
        { name: 'hospitalNo', label: '编号' },
        { name: 'name', label: '名称' },
      ],
    },
  ],
  ...more,
});

const contactForm = {
  type: 'form',
  api: { url: '/ds/institution.hospital/action.contact', data: { key: '${id}', version: '${version}', phone: '${phone}' } },
  body: [{ type: 'input-text', name: 'phone', label: '电话' }],
};
/** A list with a form that writes. */
export const withContact = listDefinition({ body: [...listDefinition().body, contactForm] });

/** Lines of settlement bills: a dataset that answers for one record alone. */
export const billLines = {
  type: 'page',
  body: [
    { type: 'crud', api: '/ds/tHmoCardSettlement.line/list', placeholder: '没有数据', columns: [{ name: 'sourceNo', label: '单号' }] },
  ],
};

/** A page with a draft of this definition. */
export async function makePage(app: TestApp, definition: unknown = listDefinition(), token = freshToken()) {
  const { editor } = await makersOf(app);
  const made = await app.ok(
    addPage,
    { token, title: '探查页面', permission: 'institution.hospital.view', beginning: 'JSON', definition: JSON.stringify(definition) },
    { as: editor },
  );
  return { ...made, token };
}

let keys = 0;
export const requestKey = () => {
  keys += 1;
  return `lowcode-test-${keys}`;
};

/** The same, published. */
export async function publishedPage(app: TestApp, definition: unknown = listDefinition(), token = freshToken()) {
  const page = await makePage(app, definition, token);
  const { publisher } = await makersOf(app);
  const { versionId, versionNo } = await app.ok(
    publishPage,
    { pageId: page.id, versionId: page.versionId, rowVersion: 1, changeNote: '首次发布页面', confirmActions: true },
    { as: publisher, idempotencyKey: requestKey() },
  );
  return { ...page, versionId, versionNo };
}

export const pageVersion = async (app: TestApp, id: string): Promise<number> =>
  (await own(app.db).selectFrom('lowcodePage').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
