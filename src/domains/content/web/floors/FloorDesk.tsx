import { Button, Tooltip } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { showInstant, type Instant } from '#kernel/contract/time.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  copyFloor,
  delFloor,
  modifyFloor,
  queryClientPageList,
  queryPageLayout,
  restorePageLayout,
  sortFloor,
} from '../../contract/floors/calls.ts';
import { pageCodes, type PageCode } from '../../contract/floors/clientPages.ts';
import { floorTypes, type FloorType } from '../../contract/floors/dictionaries.ts';
import { floorPermissions as may } from '../../contract/floors/permissions.ts';
import { previewPage } from '../../contract/releases/calls.ts';
import { factsOfFloor, stateOf, type DraftFloor, type FloorState } from './draftFloor.ts';
import { FloorCanvas } from './FloorCanvas.tsx';
import { kept, noHistory, redone, undone, type History } from './history.ts';
import { IdentityForm, type Identity } from './IdentityForm.tsx';
import { Releases } from './Releases.tsx';
import './floors.css';

const FloorForm = lazy(async () => ({ default: (await import('./FloorForm.tsx')).FloorForm }));
/** `09:41` of an instant, in the product's zone. */
const clockOf = (at: Instant) => showInstant(at).slice(11, 16);
const refreshes = [queryPageLayout, previewPage];

/** Tab 楼层: the clients' pages, the types of floors, the page's draft, its difference and releases. */
export function FloorDesk() {
  const { path, search } = usePage();
  const pageCode = pageCodes.codes.find((code) => code === search['pageCode']) ?? pageCodes.codes[0];
  const pages = useData(queryClientPageList, {});
  return (
    <div className="fl-desk">
      <nav className="fl-pages" aria-label="客户端页面">
        {pages.data === undefined ? (
          <Waiting for={pages} />
        ) : (
          pages.data.map((page) => (
            <button
              key={page.pageCode}
              type="button"
              aria-current={page.pageCode === pageCode}
              onClick={() => goTo(path, { ...search, pageCode: page.pageCode }, { replace: true })}
            >
              <span>{pageCodes.label(page.pageCode)}</span>
              <span className="kq-row" title={page.auditing ? '有待审核的版本' : undefined}>
                {page.auditing && <span className="kq-dict kq-dict-warning">待审核</span>}
                <span className="kq-muted">{page.liveFloors}</span>
              </span>
            </button>
          ))
        )}
      </nav>
      <Draft key={pageCode} pageCode={pageCode} types={pages.data?.find((page) => page.pageCode === pageCode)?.allowedFloorTypes ?? []} />
    </div>
  );
}

function Draft({ pageCode, types }: { pageCode: PageCode; types: readonly FloorType[] }) {
  const [at, setAt] = useState<string | null>(null);
  const [identity, setIdentity] = useState<Identity | null>(null);
  const [history, setHistory] = useState<History<FloorState[]>>(noHistory);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [form, setForm] = useState<DraftFloor | FloorType | null>(null);
  const [dragged, setDragged] = useState<FloorType | null>(null);
  const editable = useMay()(may['page.edit']);
  const layout = useData(queryPageLayout, { pageCode });
  const preview = useData(previewPage, { pageCode, ...(at && { at }), ...(identity && { as: identity }) }, { quiet: true });
  const sort = useCommand(sortFloor, { refreshes, blockMs: 300 });
  const copy = useCommand(copyFloor, { success: '添加成功!', refreshes });
  const change = useCommand(modifyFloor, { refreshes, blockMs: 300 });
  const drop = useCommand(delFloor, { success: '删除成功!', refreshes, blockMs: 300 });
  const version = layout.data?.version ?? 0;
  const floors = layout.data?.floors ?? [];
  const restore = useCommand(restorePageLayout, { refreshes, blockMs: 300 });
  /** What is now can be come back to once the change is made. */
  const keep = (before: FloorState[]) => setHistory((known) => kept(known, before));
  const changing = async (work: Promise<unknown>) => {
    const before = stateOf(floors);
    if ((await work) !== null) keep(before);
  };
  const remove = async (floor: DraftFloor) => {
    const before = stateOf(floors);
    if (
      (await confirmDelete(`楼层“${floor.title}”`, [`${floor.items.length}项内容一并删除`])) &&
      (await drop.run({ id: floor.id, version })) !== null
    )
      keep(before);
  };
  const hide = (floor: DraftFloor) => changing(change.run({ ...factsOfFloor(floor), hidden: !floor.hidden, id: floor.id, version }));
  const step = async (taken: ReturnType<typeof undone<FloorState[]>>) => {
    if (taken === null || restore.busy) return;
    if ((await restore.run({ pageCode, version, floors: taken.state })) !== null) setHistory(taken.history);
  };
  const back = () => step(undone(history, stateOf(floors)));
  const forth = () => step(redone(history, stateOf(floors)));
  const chosen = floors.find(({ id }) => id === chosenId);
  useKeys([
    ...(editable && chosen ? [{ keys: 'Delete', label: '删除选中的楼层', act: () => void remove(chosen) }] : []),
    ...(editable
      ? [
          { keys: 'Ctrl+Z', label: '撤销楼层修改', act: () => void back() },
          { keys: 'Ctrl+Y', label: '重做楼层修改', act: () => void forth() },
        ]
      : []),
  ]);
  return (
    <>
      {editable && (
        <section className="fl-types" aria-label="楼层类型">
          {types.map((type) => (
            <button
              key={type}
              type="button"
              draggable
              onDragStart={() => setDragged(type)}
              onDragEnd={() => setDragged(null)}
              onClick={() => setForm(type)}
            >
              {floorTypes.label(type)}
            </button>
          ))}
        </section>
      )}
      <section className="fl-middle">
        <div className="kq-row">
          <InstantInput aria-label="预览时间" placeholder="预览时间：现在" value={at} onChange={setAt} />
          <IdentityForm pageCode={pageCode} value={identity} onChange={setIdentity} />
          {editable && (
            <>
              <Tooltip title="撤销（Ctrl+Z）">
                <Button disabled={history.past.length === 0 || restore.busy} onClick={() => void back()}>
                  撤销
                </Button>
              </Tooltip>
              <Tooltip title="重做（Ctrl+Y）">
                <Button disabled={history.future.length === 0 || restore.busy} onClick={() => void forth()}>
                  重做
                </Button>
              </Tooltip>
            </>
          )}
          {preview.data?.personName && <span className="kq-muted">以{preview.data.personName}的身份</span>}
          {layout.data?.updatedAt && <span className="kq-muted">已保存 {clockOf(layout.data.updatedAt)}</span>}
        </div>
        {/* Floors without what they show are not empty. */}
        {preview.error && !preview.data && <Waiting for={preview} />}
        {layout.data === undefined ? (
          <Waiting for={layout} />
        ) : (
          <FloorCanvas
            floors={floors}
            shown={preview.data}
            chosenId={chosenId}
            editable={editable}
            copying={copy.busy}
            onChoose={setChosenId}
            onSort={(ids) => void changing(sort.run({ pageCode, version, ids }))}
            onDropType={() => dragged && setForm(dragged)}
            onEdit={setForm}
            onCopy={({ id }) => void changing(copy.run({ id, version }))}
            onHide={(floor) => void hide(floor)}
            onRemove={(floor) => void remove(floor)}
          />
        )}
      </section>
      <section className="fl-side">
        <Releases pageCode={pageCode} diff={layout.data?.diff ?? null} />
      </section>
      <Suspense fallback={null}>
        {form && (
          <FloorForm
            pageCode={pageCode}
            version={version}
            floor={form}
            before={stateOf(floors)}
            onChanged={keep}
            onClose={() => setForm(null)}
          />
        )}
      </Suspense>
    </>
  );
}
