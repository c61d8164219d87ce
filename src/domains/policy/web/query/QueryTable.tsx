import { Alert } from 'antd';
import { lazy, useRef, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { param } from '#kernel/web/router/address.ts';
import { usePreference } from '#kernel/web/session/preference.ts';
import { useAddress, usePage } from '#kernel/web/tabs/page.tsx';
import { queryDatasetList, queryViewList, type ViewRow } from '../../contract/calls/query.ts';
import type { DatasetCode } from '../../contract/query.ts';
import { Desk } from './Desk.tsx';
import { Views, type ViewAction } from './Views.tsx';
import '../shared/policy.css';
import './query.css';

const Rename = lazy(async () => ({ default: (await import('./ViewForms.tsx')).Rename }));
const Share = lazy(async () => ({ default: (await import('./ViewForms.tsx')).Share }));
const Schedule = lazy(async () => ({ default: (await import('./ViewForms.tsx')).Schedule }));
const forms = { rename: Rename, share: Share, schedule: Schedule } as const;

const address = { viewId: param.optional() };
/** The view that the page opens with, each person's own. */
const STAR = 'views:queryTable.star';

/** /queryTable 保费信息导出. */
export default function QueryTable() {
  const [{ viewId }, setParams] = useAddress(address);
  const sets = useData(queryDatasetList, {}, { quiet: true, fresh: 300_000 });
  const views = useData(queryViewList, {}, { quiet: true });
  const star = usePreference<string | null>(STAR, null);
  const [chosen, setChosen] = useState<DatasetCode | null>(null);
  // One that was just saved is shown before the list knows it.
  const [saved, setSaved] = useState<ViewRow | null>(null);
  const layers = useLayers();
  const { mayLeave } = usePage();
  // A star that is set meanwhile opens nothing in the place of what is being asked.
  const first = useRef<string | null | undefined>(undefined);
  if (star.known && first.current === undefined) first.current = star.value;
  if (!sets.data) return <Waiting for={sets} />;
  if (!views.data) return <Waiting for={views} />;
  if (!star.known) return <Waiting for={{ error: null, refetch: () => {} }} />;

  const known = views.data.views;
  const wanted = viewId ?? (chosen === null ? first.current : null);
  const view = known.find(({ id }) => id === wanted) ?? (saved && saved.id === wanted ? saved : undefined);
  const dataset = sets.data.datasets.find(({ code }) => code === (view?.dataset ?? chosen)) ?? sets.data.datasets[0];
  if (!dataset) return null;
  const open = (next: { view?: ViewRow; code?: DatasetCode }) => {
    setChosen(next.code ?? null);
    setParams({ viewId: next.view?.id }, { push: true });
  };
  /** Chosen by hand: a question that nobody saved is given up only when that is meant. */
  const choose = async (next: { view?: ViewRow; code?: DatasetCode }) => {
    const isShown = next.view ? next.view.id === view?.id : !view && next.code === dataset.code;
    if (!isShown && (await mayLeave())) open(next);
  };
  const act = (kind: ViewAction, of: ViewRow) => {
    const ViewForm = forms[kind];
    layers.open((close) => <ViewForm view={of} onClose={close} />);
  };
  return (
    <div className="qt-page">
      <Views
        views={known}
        shown={view}
        dataset={dataset.code}
        star={star.value}
        onStar={star.save}
        onDataset={(code) => void choose({ code })}
        onView={(one) => void choose({ view: one })}
        onAction={act}
        onRemoved={(one) => {
          if (star.value === one.id) star.save(null);
          if (view?.id === one.id) open({ code: one.dataset });
        }}
      />
      <div className="qt-main">
        {viewId !== undefined && !view && (
          <Alert type="warning" showIcon className="kq-form-alert" title="视图不存在，或没有分享给您，请从左侧选择" />
        )}
        <Desk
          key={view ? `view ${view.id}` : `set ${dataset.code}`}
          dataset={dataset}
          view={view}
          layers={layers}
          onSaved={(one) => {
            setSaved(one);
            open({ view: one });
          }}
        />
      </div>
      {layers.shown}
    </div>
  );
}
