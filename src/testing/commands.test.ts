import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitOf } from '#kernel/web/http/debounce.ts';
import { successTexts } from '#kernel/web/feedback/successTexts.ts';
import { bareCalls } from './askedCalls.ts';

const root = path.join(import.meta.dirname, '../..');
const pages = globSync('src/domains/*/web/**/*.{ts,tsx}', { cwd: root })
  .map((file) => ({ file: file.replaceAll(path.sep, '/'), text: readFileSync(path.join(root, file), 'utf8') }))
  .filter(({ file }) => !file.endsWith('.test.ts'));

/** `file call`, sorted, for every call that a pattern's first group finds. */
const found = (pattern: RegExp) =>
  [...new Set(pages.flatMap(({ file, text }) => [...text.matchAll(pattern)].map((hit) => `${path.basename(file)} ${hit[1]}`)))].sort();

const MADE = String.raw`(?:useCommand\(\s*|useCorpusCommand\(\{\s*call: )`;

const contracts = globSync('src/domains/*/contract/**/*.ts', { cwd: root }).map((file) => readFileSync(path.join(root, file), 'utf8'));
/** Every call as it is declared, exports of lists too. */
const operations = contracts.flatMap((text) => [...text.matchAll(/\boperation: '(\w+)'/g)].map((hit) => hit[1]!));

describe('acts of the pages', () => {
  it('wait 300 ms on every save, 300 ms with 1000 ms at most on every addition and deletion, whatever call a domain declares', () => {
    const named = (verbs: RegExp) => operations.filter((operation) => verbs.test(operation));
    const waits = (names: readonly string[]) => new Set(names.map((operation) => JSON.stringify(waitOf({ kind: 'command', operation }))));
    expect(named(/^(add|del|remove|batchAdd)/).length).toBeGreaterThan(60);
    expect(waits(named(/^(add|del|remove|batchAdd)/))).toEqual(new Set(['[300,1000]']));
    expect(named(/^(save|modify|change)/).length).toBeGreaterThan(50);
    expect(waits(named(/^(save|modify|change)/))).toEqual(new Set(['[300]']));
    expect(waits(named(/^(query|audit|claim|reveal|export|send)/))).toEqual(new Set(['null']));
    expect(waitOf({ kind: 'query', operation: 'addedToday' })).toBe(null);
  });

  it('saves, adds and deletes through the one mechanism that debounces and takes no double click', () => {
    expect(found(/\bsend(?:ForAnswer)?\(\s*((?:batch)?(?:add|save|modify|del|remove)[A-Z]\w*)/g)).toEqual([
      // Row by row of a batch that has been started by one click.
      'AgentList.tsx addAgentLines',
      'ChannelManagement.tsx modifyChannel',
      // A page before the layout: its own form, blocked from the click on.
      'EditUsePwd.tsx modifyPassword',
      // By key too, and before a publication: its row version refuses a second one, which is shown beside the first.
      'Editor.tsx saveDraft',
      'GeocodeDialog.tsx saveStorePlace',
      'LevelDialog.tsx modifyHospitalLevel',
      // Debounced where it is called, because it reads before it writes.
      'Quality.tsx modifyHospital',
      'Sessions.tsx removeSession',
      'Users.tsx modifyUserInfo',
      'chat.ts addGroupNote',
      // The link that 以患者身份打开 opens, and the chat client's own port.
      'openAs.ts addParticipantTicket',
      'openClient.ts delGroupMember',
      // No act of the operator: logout, kept settings, the draft of an audit.
      'ports.ts modifyCancelUserInfo',
      'ports.ts modifyUserPreference',
      'useMaterialWork.ts saveOtherMaterialWork',
      'useReviewWork.ts saveSignContractWork',
      'useWork.ts saveQualApplyWork',
    ]);
  });

  it('asks the deletion question before every deletion', () => {
    const unasked = pages
      .filter(({ text }) => !text.includes('confirmDelete('))
      .flatMap(({ file, text }) =>
        [...text.matchAll(new RegExp(`${MADE}((?:del|delete|remove)[A-Z]\\w*)`, 'g'))].map((hit) => `${path.basename(file)} ${hit[1]}`),
      );
    expect([...new Set(unasked)].sort()).toEqual([
      // Ends a session, an assignment, an employment or a membership: asked with its consequence, nothing is deleted.
      'AssignRoles.tsx removeUserRole',
      // Voids a record, which stays readable in the history: asked with a reason.
      'History.tsx delDiagnosis',
      'History.tsx delRecordText',
      'History.tsx delTreatment',
      'Members.tsx removeUserRole',
      'MembersDrawer.tsx delGroupMember',
      'PersonalDrawer.tsx removeSession',
      // Takes money back from an order by a counter row: asked with an opinion.
      'PremiumDrawer.tsx removeAllocation',
      'Sessions.tsx removeSession',
      'useUserActions.tsx removeUserInfo',
    ]);
  });

  it('asks it before nothing else', () => {
    const wrong = pages.flatMap(({ file, text }) =>
      [
        ...bareCalls(text, 'confirmDelete').matchAll(
          /confirmDelete\(\)(?:\s*\))+[\s\S]{0,30}?(?:await |&& \(?|void )(\w+)(?:\.run)?\(\{?([^)]*)/g,
        ),
      ]
        .filter(([, name, input]) => !new RegExp(`\\b${name} = ${MADE}(del|delete|remove)`).test(text) && !/action: 'delete'/.test(input!))
        .map((hit) => `${path.basename(file)} ${hit[1]}`),
    );
    // Its call is taken out of an object by name, and deletes.
    expect([...new Set(wrong)].sort()).toEqual(['Files.tsx run']);
  });

  it('says 添加成功! after a copy, as after any other addition', () => {
    const copies = operations.filter((operation) => /^(?:batch)?copy[A-Z]/.test(operation));
    expect(copies.length).toBeGreaterThan(7);
    const declared = contracts.flatMap((text) => [...text.matchAll(/operation: '((?:batch)?[cC]opy\w+)',[\s\S]*?\}\);/g)]);
    expect(declared.map((hit) => hit[1])).toEqual(copies);
    expect(declared.filter(([whole]) => !/\.\.\.COPIED|message: '添加成功!'/.test(whole)).map((hit) => hit[1])).toEqual([]);
    const said = pages.flatMap(({ text }) =>
      [...text.matchAll(/(?:useCommand\(|call=\{)(copy[A-Z]\w*)([\s\S]*?)(?:\n\s*>|\);)/g)].map(
        (hit) => `${hit[1]} ${/success(?:: |=)['"]([^'"]*)/.exec(hit[2]!)?.[1]}`,
      ),
    );
    expect(said.length).toBeGreaterThan(6);
    expect(said.filter((one) => !one.endsWith(' 添加成功!'))).toEqual([]);
  });

  it('says 删除成功! after a deletion and 修改成功! after a change, or what the server says', () => {
    const said = (verbs: string) =>
      pages.flatMap(({ text }) =>
        [...text.matchAll(new RegExp(`${MADE}((?:${verbs})[A-Z]\\w*),\\s*(?:\\{[^}]*?)?success: ('[^']*')`, 'g'))].map(
          (hit) => `${hit[1]} ${hit[2]}`,
        ),
      );
    expect(said('del|delete|remove').filter((one) => !one.endsWith("'删除成功!'"))).toEqual(["delGroupMember '已移出会话'"]);
    expect(said('modify').filter((one) => !one.endsWith("'修改成功!'"))).toEqual([]);
    expect(new Set(successTexts).size).toBe(successTexts.length);
    expect(successTexts.filter((text) => text.endsWith('成功'))).toEqual([]);
  });
});
