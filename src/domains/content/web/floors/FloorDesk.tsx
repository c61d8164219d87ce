import { Badge, DatePicker } from 'antd';
import dayjs from 'dayjs';
import { lazy, Suspense, useState } from 'react';
import { showInstant, type Instant } from '../../../../kernel/contract/time.ts';
import { confirmDelete } from '../../../../kernel/web/feedback/dialogs.tsx';
import { useAct, useData } from '../../../../kernel/web/http/queries.ts';
import { useKeys } from '../../../../kernel/web/keyboard/keys.ts';
import { Waiting } from '../../../../kernel/web/kit/TableState.tsx';
import { goTo } from '../../../../kernel/web/router/navigate.ts';
import { useMay } from '../../../../kernel/web/session/store.ts';
import { usePage } from '../../../../kernel/web/tabs/page.tsx';
import { copyFloor, delFloor, modifyFloor, queryClientPageList, queryPageLayout, sortFloor } from '../../contract/floors/calls.ts';
import { pageCodes, type PageCode } from '../../contract/floors/clientPages.ts';
import { floorTypes, type FloorType } from '../../contract/floors/dictionaries.ts';
import { floorPermissions as may } from '../../contract/floors/permissions.ts';
import { previewPage } from '../../contract/releases/calls.ts';
import { FloorCanvas, type DraftFloor } from './FloorCanvas.tsx';
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
              <Badge dot={page.auditing} title={page.auditing ? '有待审核的版本' : ''}>
                <span className="kq-muted">{page.liveFloors}</span>
              </Badge>
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
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [form, setForm] = useState<DraftFloor | FloorType | null>(null);
  const [dragged, setDragged] = useState<FloorType | null>(null);
  const editable = useMay()(may['page.edit']);
  const layout = useData(queryPageLayout, { pageCode });
  const preview = useData(previewPage, { pageCode, ...(at && { at }) });
  const sort = useAct(sortFloor, { refreshes, blockMs: 300 });
  const copy = useAct(copyFloor, { refreshes });
  const change = useAct(modifyFloor, { refreshes, blockMs: 300 });
  const drop = useAct(delFloor, { success: '删除成功!', refreshes, blockMs: 300 });
  const version = layout.data?.version ?? 0;
  const floors = layout.data?.floors ?? [];
  const remove = async (floor: DraftFloor) => {
    if (await confirmDelete()) await drop.run({ id: floor.id, version });
  };
  const hide = ({ id, floorKey: _key, floorType: _type, items, ...facts }: DraftFloor) =>
    change.run({ ...facts, items: items.map(({ objectId: _id, ...item }) => item), hidden: !facts.hidden, id, version });
  const chosen = floors.find(({ id }) => id === chosenId);
  useKeys(editable && chosen ? [{ keys: 'Delete', label: '删除选中的楼层', act: () => void remove(chosen) }] : []);
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
          <DatePicker
            showTime
            placeholder="预览时间：现在"
            aria-label="预览时间"
            value={at ? dayjs(at) : null}
            onChange={(value: dayjs.Dayjs | null) => setAt(value?.toISOString() ?? null)}
          />
          {layout.data?.updatedAt && <span className="kq-muted">已保存 {clockOf(layout.data.updatedAt)}</span>}
        </div>
        {layout.data === undefined ? (
          <Waiting for={layout} />
        ) : (
          <FloorCanvas
            floors={floors}
            shown={preview.data ?? []}
            chosenId={chosenId}
            editable={editable}
            onChoose={setChosenId}
            onSort={(ids) => void sort.run({ pageCode, version, ids })}
            onDropType={() => dragged && setForm(dragged)}
            onEdit={setForm}
            onCopy={({ id }) => void copy.run({ id, version })}
            onHide={(floor) => void hide(floor)}
            onRemove={(floor) => void remove(floor)}
          />
        )}
      </section>
      <section className="fl-side">
        <Releases pageCode={pageCode} diff={layout.data?.diff ?? []} />
      </section>
      <Suspense fallback={null}>
        {form && <FloorForm pageCode={pageCode} version={version} floor={form} onClose={() => setForm(null)} />}
      </Suspense>
    </>
  );
}
