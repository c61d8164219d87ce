import type { CDPSession, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import * as z from 'zod/mini';
import type { Call, InputOf, OutputOf } from '#kernel/contract/call.ts';
import { billWindows } from '#domains/card/contract/pageWindows.ts';
import { publishPage, queryPageList } from '#domains/lowcode/contract/calls/pages.ts';
import { acceptedSamples } from '#domains/lowcode/contract/samples.ts';
import { checkText } from '#domains/lowcode/server/check/check.ts';
import { downloadSet } from '#domains/files/server/pages/downloadCenter.ts';
import { institutionSets } from '#domains/institution/server/pages/datasets.ts';
import { journey, withBrowser } from '../journey.ts';
import { openSession } from '../signIn.ts';
import { choose, dialog, row, toast } from '../steps.ts';

withBrowser();

/** Asks the product as somebody, beside the browser that is looked at. */
async function asker(page: Page, userName: string) {
  const address = inject('address');
  const { Authorization } = await openSession(page, address, userName);
  return async <C extends Call>(call: C, data: InputOf<C>): Promise<OutputOf<C>[]> => {
    const response = await page.request.post(`${address}/${call.path}`, {
      headers: { Authorization, 'Idempotency-Key': crypto.randomUUID() },
      data,
    });
    const { code, message, data: answered } = (await response.json()) as { code: string; message: string; data: unknown };
    if (code !== '0000000') throw new Error(`${call.path} as ${userName}: ${code} ${message}`);
    return z.array(call.output).parse(Array.isArray(answered) ? answered : [answered]) as OutputOf<C>[];
  };
}

/** What the policy forbade anywhere, told by the document that it happened in. */
async function watchPolicy(page: Page): Promise<() => Promise<unknown[]>> {
  const found: unknown[] = [];
  await page.exposeFunction('kqViolation', (what: unknown) => void found.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      const tell: unknown = Reflect.get(window, 'kqViolation');
      if (typeof tell === 'function') tell({ violatedDirective, blockedURI, sourceFile });
    });
  });
  return async () => found;
}

journey(
  'a page of definitions asks for the renderer when it is opened, works by its frame and leaves nothing behind',
  async ({ page, enter, allow }) => {
    const asked: string[] = [];
    const violations = await watchPolicy(page);
    page.on('request', (request) => void (request.url().includes('amis') && asked.push(request.url())));
    await enter('admin', '/hospitalList');
    await page.getByRole('columnheader', { name: '医院编号' }).waitFor();
    expect(asked).toEqual([]);

    await enter('admin', '/tHospital');
    const frame = page.frameLocator('iframe[title="医院数据"]');
    await frame.getByText('YY20').first().waitFor();
    expect(asked.some((url) => url.endsWith('/sdk.js'))).toBe(true);

    // What could not be read says so until it is read, and is not taken for a list in which nothing was found.
    allow(/queryDataset|net::ERR_CONNECTION_RESET/);
    await page.route(/queryDataset/, (route) => route.abort('connectionreset'));
    await frame.getByRole('button', { name: '查询', exact: true }).first().click();
    const unread = page.getByRole('alert').filter({ hasText: '数据加载失败' });
    await unread.waitFor();
    await page.unroute(/queryDataset/);
    await unread.getByRole('button', { name: '重新加载' }).click();
    await frame.getByText('YY20').first().waitFor();
    expect(await unread.count()).toBe(0);

    // A refused value is shown at its field, in the frame.
    allow(/runDatasetAction/);
    await frame.getByRole('button', { name: '修改联系方式' }).first().click();
    const form = frame.getByRole('dialog');
    // It lies over the page, in the renderer's own style.
    expect(await form.evaluate((window) => getComputedStyle(window).position)).toBe('fixed');
    await form.locator('input[name=phone]').fill('abc');
    await form.getByRole('button', { name: '确认' }).click();
    await form.getByText('电话格式不正确').first().waitFor();
    await form.locator('input[name=phone]').fill('0571-87065701');
    // What a record says is text wherever it is shown.
    await form.locator('textarea[name=introduction]').fill(markup);
    await Promise.all([toast(page, '修改成功'), form.getByRole('button', { name: '确认' }).click()]);
    await form.waitFor({ state: 'detached' });
    await frame.getByRole('button', { name: '详情' }).first().click();
    await frame.getByText(markup).waitFor();
    expect(await frame.locator('img[src=x]').count()).toBe(0);

    // The frame has no network of its own, and no session to look into.
    const inner = page.frames().find((one) => one.url().endsWith('/amis/frame.html'));
    allow(/violates the (following|document's) Content Security Policy/);
    expect(await violations()).toEqual([]);
    expect(await inner?.evaluate(() => fetch('/admin/UserInfoService/queryUserList').then(String, () => 'blocked'))).toBe('blocked');
    await expect.poll(violations).toMatchObject([{ violatedDirective: 'connect-src' }]);

    await page.keyboard.press('Alt+W');
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
  },
);

journey('every page of definitions is opened, filtered and opens a window without breaking its policy', async ({ page, enter }) => {
  const violations = await watchPolicy(page);
  const list = await asker(page, 'admin');
  const pages = (await list(queryPageList, { state: ['ONLINE'], health: 'OK', pageSize: 100 })).map(({ token, title }) => ({
    token,
    title,
  }));
  expect(pages.length).toBeGreaterThanOrEqual(3);
  await enter('admin', '/amisPageV1');
  for (const { token, title } of pages) {
    await enter('admin', `/${token}`);
    const frame = page.frameLocator(`iframe[title="${title}"]`);
    const shown = page.locator(`iframe[title="${title}"][aria-busy=false]`);
    await shown.waitFor();
    await frame.locator('.cxd-Table-table, .antd-Table-table, .kq-chart').first().waitFor();
    const search = frame.getByRole('button', { name: '查询', exact: true }).first();
    if (await search.count()) await search.click();
    const opens = frame.getByRole('button', { name: /详情|修改|轨迹/ }).first();
    if (await opens.count()) {
      await opens.click();
      // The page's own window, or a drawer of its domain over it.
      await Promise.any([frame, page].map((where) => where.getByRole('dialog').first().waitFor()));
    }
  }
  expect(await violations()).toEqual([]);
});

journey(
  'a page is published anew while somebody fills in its form; who has it in no menu finds nothing',
  async ({ page, otherBrowser, enter }) => {
    const write = await asker(page, 'sys_a');
    const release = await asker(page, 'sec_a');
    const [listed] = await write(queryPageList, { token: 'supplierTodo' });
    if (!listed) throw new Error('the demonstration has no supplierTodo');

    // Who may not open it and who asks for what is no page see the same.
    const stranger = await otherBrowser();
    for (const path of ['/supplierTodo', '/oldLogistics', '/nosuchpage']) {
      await enter('corpus_ops', path, stranger);
      await stranger.getByText('页面不存在').first().waitFor();
    }

    await enter('admin', '/supplierTodo');
    const frame = page.frameLocator('iframe[title="供应商待办"]');
    await frame.getByRole('button', { name: '轨迹' }).first().click();
    await frame.getByText('审核轨迹').first().waitFor();
    await frame.locator('.antd-Drawer-close').click();
    await frame.getByRole('button', { name: '停用' }).first().click();
    await frame.locator('textarea[name=opinion]').fill('资质到期，暂停合作');

    // Meanwhile its editor saves the next version at the desk, and somebody else publishes it.
    const desk = await otherBrowser();
    await enter('sys_a', '/amisPageV1?token=supplierTodo', desk);
    await row(desk, 'supplierTodo').getByRole('button', { name: '编辑', exact: true }).click();
    await desk.getByText(/^v\d+ 草稿$/).waitFor();
    await desk.frameLocator('iframe[title="供应商待办预览"]').getByText('药企编号').first().waitFor();
    await desk.keyboard.press('Control+s');
    await toast(desk, '修改成功');
    const versionId = new URL(desk.url()).searchParams.get('versionId') ?? '';
    await release(publishPage, { pageId: listed.id, versionId, rowVersion: 2, changeNote: '例行更新页面', confirmActions: true });

    await page.getByText('页面有新版本').waitFor();
    await frame.getByRole('button', { name: '确认' }).click();
    await toast(page, '页面版本已更新，请刷新后重试');
    expect(await frame.locator('textarea[name=opinion]').inputValue()).toBe('资质到期，暂停合作');
    await page.getByRole('button', { name: '刷新', exact: true }).click();
    await page.getByText('页面有新版本').waitFor({ state: 'detached' });
    await frame.getByRole('button', { name: '停用' }).first().waitFor();
  },
);

const facts = {
  datasets: new Map([downloadSet, ...institutionSets].map((one) => [one.code, one])),
  routes: new Set(['hospitalList']),
  windows: new Map(Object.values(billWindows).map((one) => [one.name, one])),
};
const PROGRAMS = [
  'canary()',
  'javascript:canary()',
  'window.canary()',
  'return canary()',
  '{{canary()}}',
  '$canary()',
  'js:canary()',
  '${canary}',
];

/** Accepted definitions of the corpus with texts of programs in their places, as far as the check takes them, on one page. */
function takenMutants(): object {
  const put = (value: unknown, at: { left: number }, text: string): unknown => {
    if (typeof value === 'string') return at.left-- === 0 ? text : value;
    if (Array.isArray(value)) return value.map((one: unknown) => put(one, at, text));
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one, at, text)]))
      : value;
  };
  const bodies: unknown[] = [];
  for (const { definition } of acceptedSamples)
    for (let place = 0; place < 12; place += 1) {
      const mutant = put(definition, { left: place }, PROGRAMS[place % PROGRAMS.length]!);
      const isTaken = checkText(JSON.stringify(mutant), facts).problems.every(({ severity }) => severity !== 'E');
      if (isTaken && JSON.stringify(mutant) !== JSON.stringify(definition)) bodies.push(Reflect.get(Object(mutant), 'body'));
    }
  return { type: 'page', body: [...bodies.flat(), { type: 'plain', text: '探针到此' }] };
}

const markup = '<img src=x onerror=alert(2)>';
const everywhere = {
  type: 'page',
  body: [
    {
      type: 'each',
      source: '${items}',
      items: [
        { type: 'tooltip-wrapper', content: '${introduction}', body: [{ type: 'plain', text: '提示' }] },
        { type: 'tpl', tpl: '<b>${introduction}</b>' },
        { type: 'plain', text: '纯文本：${introduction}' },
      ],
    },
    { type: 'table', source: '${items}', columns: [{ name: 'introduction', label: '备注' }] },
    {
      type: 'form',
      title: '金额',
      wrapWithPanel: false,
      body: [
        { type: 'kq-money', name: 'first', label: '金额一' },
        { type: 'kq-money', name: 'second', label: '金额二' },
        { type: 'plain', text: '合计${first + second}分' },
        { type: 'kq-region', name: 'adcode', label: '地区' },
        {
          type: 'kq-condition',
          name: 'rule',
          label: '适用条件',
          placeholder: '选择条件',
          variables: [{ code: 'patient.age', name: '年龄', kind: 'NUMBER', unit: '岁' }],
        },
        { type: 'plain', text: '条件以${rule.op}相连，共${rule.items.length}条' },
      ],
    },
    {
      type: 'button',
      label: '写入',
      actionType: 'ajax',
      api: { url: '/ds/institution.hospital/action.contact', data: { key: '1', version: '1' } },
    },
    {
      type: 'button',
      label: '打开',
      actionType: 'dialog',
      dialog: { title: '窗口', body: { type: 'cards', source: '${items}', card: { body: [{ name: 'introduction', label: '备注' }] } } },
    },
  ],
};

journey(
  'the editor shows what is written, asks the page for what the frame cannot do, and writes nothing',
  async ({ page, enter, allow }) => {
    // What the page says to the frame is written down.
    await page.addInitScript(() => {
      const said: string[] = [];
      Reflect.set(window, 'kqSaid', said);
      MessagePort.prototype.postMessage = new Proxy(MessagePort.prototype.postMessage, {
        apply(send, port, [message, ...more]: [unknown, ...unknown[]]) {
          said.push(JSON.stringify(message));
          return Reflect.apply(send, port, [message, ...more]);
        },
      });
    });
    await enter('admin', '/amisPageV1?token=newBoard');
    await row(page, 'newBoard').getByRole('button', { name: '编辑', exact: true }).click();
    await page.getByText(/定义有错误/).waitFor();
    const code = page.getByRole('textbox', { name: '页面定义' });
    await code.click();
    await page.keyboard.press('Control+a');
    const definition = { ...everywhere, body: [{ type: 'service', api: '/ds/institution.hospital/list', body: everywhere.body }] };
    await page.keyboard.insertText(JSON.stringify(definition, null, 2));

    const frame = page.frameLocator('iframe[title="新看板预览"]');
    // The hospital whose introduction an earlier journey wrote.
    await frame.getByText(markup).first().waitFor();
    expect(await frame.getByText(markup).count()).toBeGreaterThanOrEqual(2);
    await frame.getByText(`纯文本：${markup}`).first().waitFor();
    expect(await frame.getByText('&lt;').count()).toBe(0);
    await frame.getByText('提示').first().hover();
    await frame.getByRole('button', { name: '打开' }).click();
    await frame.getByRole('dialog').getByText(markup).last().waitFor();
    expect(await frame.locator('img[src=x]').count()).toBe(0);
    await frame.getByRole('dialog').getByRole('button', { name: '取消' }).click();

    // 12.345 is no amount; 0.1 and 0.2 are 30 fen.
    const [first, second] = [frame.locator('.kq-money input').nth(0), frame.locator('.kq-money input').nth(1)];
    await first.fill('12.345');
    await frame.getByText('金额最多两位小数').waitFor();
    await first.fill('0.1');
    await second.fill('0.2');
    await frame.getByText('合计30分').waitFor();

    await frame.getByRole('button', { name: '请选择' }).click();
    await dialog(page, '地区').getByText('取消').click();

    // Conditions are put together in the page's window; what the form gets is the group as calls take it.
    await frame.getByRole('button', { name: '选择条件' }).click();
    const conditions = dialog(page, '适用条件');
    const taken = conditions.getByRole('button', { name: '确定', exact: true });
    await choose(conditions, '条件1变量', '年龄');
    await choose(conditions, '条件1运算符', '≥');
    expect(await taken.isDisabled()).toBe(true);
    await conditions.getByLabel('条件1的值').fill('60');
    await taken.click();
    await frame.getByRole('button', { name: '年龄 ≥ 60岁' }).waitFor();
    await frame.getByText('条件以AND相连，共1条').waitFor();
    // The renderer writes down every refusal that it shows.
    allow(/预览模式不执行写操作/);
    const told = toast(page, '预览模式不执行写操作');
    await frame.getByRole('button', { name: '写入' }).click();
    await told;

    const said = await page.evaluate(() => Reflect.get(window, 'kqSaid') as string[]);
    const authorization = await page.evaluate(() => localStorage.getItem('Authorization') ?? '');
    expect(said.length).toBeGreaterThan(3);
    expect(said.filter((one) => one.includes(authorization) || one.includes('Authorization'))).toEqual([]);
  },
);

journey('what looks like a program in a definition that is taken runs nothing in the renderer', async ({ page, enter }) => {
  const violations = await watchPolicy(page);
  await page.addInitScript(() => Reflect.set(window, 'canary', () => Reflect.set(window, 'kqCanary', true)));
  await enter('admin', '/amisPageV1?token=newBoard');
  await row(page, 'newBoard').getByRole('button', { name: '编辑', exact: true }).click();
  const code = page.getByRole('textbox', { name: '页面定义' });
  await code.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(JSON.stringify(takenMutants()));
  const frame = page.frameLocator('iframe[title="新看板预览"]');
  await frame.getByText('探针到此').waitFor();
  for (const one of page.frames()) expect(await one.evaluate(() => Reflect.get(window, 'kqCanary'))).toBe(undefined);
  expect(await violations()).toEqual([]);
});

journey('two editors of one page: the second sees what the first did, and both are put together', async ({ page, otherBrowser, enter }) => {
  const desk = await otherBrowser();
  const open = async (userName: string, on: Page) => {
    await enter(userName, '/amisPageV1?token=newBoard', on);
    await row(on, 'newBoard').getByRole('button', { name: '编辑', exact: true }).click();
    await on.getByText(/^v\d+ 草稿$/).waitFor();
  };
  const write = async (on: Page, definition: object) => {
    await on.getByRole('textbox', { name: '页面定义' }).click();
    await on.keyboard.press('Control+a');
    await on.keyboard.insertText(JSON.stringify(definition, null, 2));
  };
  const save = (on: Page) => Promise.all([toast(on, '修改成功'), on.keyboard.press('Control+s')]);
  const text = (one: string) => ({ type: 'plain', text: one });
  await open('admin', page);
  await write(page, { type: 'page', title: '看板', body: [text('一'), text('二')] });
  await save(page);
  await open('sys_a', desk);
  await desk.getByText('正在编辑').waitFor();
  await write(page, { type: 'page', title: '看板甲', body: [text('一'), text('二')] });
  await save(page);

  await write(desk, { type: 'page', title: '看板', body: [text('一'), text('二乙')] });
  await desk.keyboard.press('Control+s');
  const window = dialog(desk, '草稿已被修改');
  await window.getByText('看板甲').waitFor();
  await window.getByText('二乙').waitFor();
  await window.getByRole('button', { name: '合并双方修改' }).click();
  await desk.frameLocator('iframe[title="新看板预览"]').getByText('二乙').waitFor();
  await save(desk);

  // Both changed the same place: nobody puts that together but they.
  await write(page, { type: 'page', title: '看板丙', body: [text('一'), text('二丙')] });
  await page.keyboard.press('Control+s');
  const other = dialog(page, '草稿已被修改');
  await other.getByText('不能自动合并').waitFor();
  expect(await other.getByRole('button', { name: '合并双方修改' }).isDisabled()).toBe(true);
  await other.getByRole('button', { name: '放弃我的修改' }).click();
  await page.frameLocator('iframe[title="新看板预览"]').getByText('二乙').waitFor();
});

type Held = Record<'documents' | 'nodes' | 'listeners' | 'frames' | 'ports', number>;

/** What the page of the product holds after everything that nobody holds has gone. */
async function held(cdp: CDPSession): Promise<Held> {
  // What is freed may free more.
  for (let times = 0; times < 3; times += 1) await cdp.send('HeapProfiler.collectGarbage');
  const { documents, nodes, jsEventListeners: listeners } = await cdp.send('Memory.getDOMCounters');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'MessagePort.prototype' });
  const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId: result.objectId! });
  const { result: length } = await cdp.send('Runtime.callFunctionOn', {
    objectId: objects.objectId!,
    functionDeclaration: 'function () { return this.length; }',
    returnByValue: true,
  });
  await cdp.send('Runtime.releaseObject', { objectId: objects.objectId! });
  const frames = metrics.find(({ name }) => name === 'Frames')?.value ?? 0;
  return { documents, nodes, listeners, frames, ports: Number(length.value) };
}

journey('fifty openings of a page of definitions leave nothing in the page around it', async ({ page, context, enter }) => {
  await enter('admin', '/hospitalList');
  await page.getByRole('columnheader', { name: '医院编号' }).waitFor();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  const openAndClose = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await page.evaluate(() => {
        history.pushState(null, '', '/tDrugstore');
        dispatchEvent(new PopStateEvent('popstate'));
      });
      await page.locator('iframe.lc-frame[aria-busy=false]').waitFor();
      await page.keyboard.press('Alt+W');
      await expect.poll(() => page.locator('iframe').count()).toBe(0);
    }
  };
  // What is made once is there after the first openings.
  await openAndClose(3);
  // A page that was closed last goes some tasks after its tab did, and a notice may come meanwhile: what stays is what grows with each
  // opening. So the least of five looks is compared with the least of the five looks before.
  const look = async () => {
    await openAndClose(5);
    return held(cdp);
  };
  const looks: Held[] = [];
  while (looks.length < 10) looks.push(await look());
  const least = (some: readonly Held[], what: keyof Held) => Math.min(...some.map((one) => one[what]));
  const stays = (Object.keys(looks[0]!) as (keyof Held)[])
    .map((what) => ({ what, more: least(looks.slice(5), what) - least(looks.slice(0, 5), what) }))
    .filter(({ more }) => more >= 25);
  expect(stays, JSON.stringify(looks)).toEqual([]);
});
