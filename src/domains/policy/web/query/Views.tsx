import { StarFilled, StarOutlined } from '@ant-design/icons';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { PopMenu, type PopItem } from '#kernel/web/kit/PopMenu.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryViewList, removeQueryView, type ViewRow } from '../../contract/calls/query.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { datasets, viewScopes, type DatasetCode } from '../../contract/query.ts';

export type ViewAction = 'rename' | 'share' | 'schedule';

interface ViewsProps {
  views: readonly ViewRow[];
  shown: ViewRow | undefined;
  dataset: DatasetCode;
  star: string | null;
  onStar(id: string | null): void;
  onDataset(code: DatasetCode): void;
  onView(view: ViewRow): void;
  onAction(action: ViewAction, view: ViewRow): void;
  onRemoved(view: ViewRow): void;
}

/** Data sets, and the views that were saved of them: one's own and those that others share. */
export function Views({ views, shown, dataset, star, onStar, onDataset, onView, onAction, onRemoved }: ViewsProps) {
  const mayDo = useMay();
  const remove = useCommand(removeQueryView, { refreshes: [queryViewList], success: '删除成功!' });
  const actions = (view: ViewRow): PopItem[] => [
    { key: 'rename', label: '重命名', act: () => onAction('rename', view) },
    ...(mayDo(may['query.share']) ? [{ key: 'share', label: '分享', act: () => onAction('share', view) }] : []),
    ...(view.config && mayDo(may['query.export']) ? [{ key: 'schedule', label: '定时', act: () => onAction('schedule', view) }] : []),
    {
      key: 'remove',
      label: '删除',
      danger: true,
      divided: true,
      act: () =>
        void confirmDelete(`视图“${view.viewName}”`).then(async (yes) => {
          if (yes && (await remove.run({ id: view.id, version: view.version }))) onRemoved(view);
        }),
    },
  ];
  const list = (title: string, those: readonly ViewRow[], none: string) => (
    <section aria-label={title}>
      <h3>{title}</h3>
      {those.length === 0 && <p className="kq-muted">{none}</p>}
      <ul className="qt-list">
        {those.map((view) => {
          const starred = star === view.id;
          const note = view.mine
            ? view.scope === 'PRIVATE'
              ? ''
              : viewScopes.label(view.scope)
            : `${view.ownerName} · ${viewScopes.label(view.scope)}`;
          return (
            <li key={view.id} data-shown={shown?.id === view.id || undefined}>
              <button
                type="button"
                className="qt-star"
                aria-label={`${starred ? '取消默认' : '设为默认'}${view.viewName}`}
                aria-pressed={starred}
                title={starred ? '打开页面时显示，点击取消' : '打开页面时显示此视图'}
                onClick={() => onStar(starred ? null : view.id)}
              >
                {starred ? <StarFilled /> : <StarOutlined />}
              </button>
              <button
                type="button"
                className="qt-open"
                aria-current={shown?.id === view.id || undefined}
                title={[view.viewName, datasets.label(view.dataset), note].filter(Boolean).join('，')}
                onClick={() => onView(view)}
              >
                <span>{view.viewName}</span>
                <small>
                  {datasets.label(view.dataset)}
                  {note && ` · ${note}`}
                  {view.config === null && ' · 已失效，请重新设置'}
                  {view.nextOn && ` · 每月${view.schedule?.dayOfMonth}日`}
                </small>
              </button>
              {view.mine && (
                <PopMenu label={`${view.viewName}的操作`} items={actions(view)}>
                  更多
                </PopMenu>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
  return (
    <nav className="qt-views" aria-label="数据集与视图">
      <section aria-label="数据集">
        <h3>数据集</h3>
        <ul className="qt-list">
          {datasets.options.map(({ value, label }) => (
            <li key={value} data-shown={(!shown && dataset === value) || undefined}>
              <button
                type="button"
                className="qt-open"
                aria-current={(!shown && dataset === value) || undefined}
                onClick={() => onDataset(value)}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      </section>
      {list(
        '我的视图',
        views.filter(({ mine }) => mine),
        '还没有视图，设好列与条件后点击“另存为视图”',
      )}
      {list(
        '共享视图',
        views.filter(({ mine }) => !mine),
        '还没有人分享视图',
      )}
    </nav>
  );
}
