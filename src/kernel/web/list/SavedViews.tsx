import { lazy, Suspense, useState } from 'react';
import { PopMenu } from '../kit/PopMenu.tsx';
import type { FilterValue } from './filters.ts';
import type { Views } from './useViews.ts';

const ManageViews = lazy(() => import('./ManageViews.tsx'));

interface SavedViewsProps {
  views: Views;
  /** What stands in the search fields, and the order. */
  values: Readonly<Record<string, FilterValue>>;
  /** Before another view is shown: what was typed goes. */
  replace(search: () => void): void;
}

/** The operator's named views of one list, kept on the server; the button names the one in use, and whether something else is asked now. */
export function SavedViews({ views, values, replace }: SavedViewsProps) {
  const { list, current, changed } = views;
  const [managing, setManaging] = useState(false);
  const shown = current ? `视图：${current.name}${changed ? '（已改）' : ''}` : '视图';
  return (
    <>
      <PopMenu
        label={shown}
        className="kq-link kq-saved-view"
        items={[
          ...(current && changed
            ? [
                { key: 'back', label: `恢复为“${current.name}”`, act: () => replace(() => views.choose(current)) },
                { key: 'keep', label: `保存到“${current.name}”`, act: () => views.keep(current.name, values) },
              ]
            : []),
          ...list.map((view, at) => ({
            key: `view ${view.name}`,
            label: view.name,
            chosen: view === current,
            divided: at === 0 && changed,
            act: () => replace(() => views.choose(view)),
          })),
          ...(current ? [{ key: 'leave', label: '不使用视图', divided: true, act: () => replace(views.leave) }] : []),
          { key: 'manage', label: '保存与管理视图…', divided: list.length > 0 && !current, act: () => setManaging(true) },
        ]}
      >
        <span title={shown}>{shown}</span>
      </PopMenu>
      {managing && (
        <Suspense fallback={null}>
          <ManageViews views={views} values={values} onClose={() => setManaging(false)} />
        </Suspense>
      )}
    </>
  );
}
