import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, use, useMemo } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { routeKeyOf } from '#kernel/contract/route.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ColumnSettings } from '#kernel/web/kit/ColumnSettings.tsx';
import { DataTable, showTotal } from '#kernel/web/kit/DataTable.tsx';
import { RefreshButton } from '#kernel/web/kit/RefreshButton.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { inputOf, readFilters } from '#kernel/web/list/filters.ts';
import type { FilterValue } from '#kernel/web/list/filters.ts';
import { SearchForm } from '#kernel/web/list/SearchForm.tsx';
import { useViews, VIEW_PARAM } from '#kernel/web/list/useViews.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import type { MenuEntry } from '#kernel/web/session/storage.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { PageContext } from '#kernel/web/tabs/page.tsx';
import { exportOperationLog, queryOperationLogList } from '../../contract/calls/logs.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { identityRoutes } from '../../contract/routes.ts';
import { useRoles } from '../shared/roles.ts';
import type { LogRow } from './logValues.ts';
import { operationColumns, operationFilters } from './operationList.tsx';
import { useCursorList } from './useCursorList.ts';

const LogDrawer = lazy(async () => ({ default: (await import('./LogDrawer.tsx')).LogDrawer }));
const SETTINGS = 'operationLog';
const SIZE = 50;

const titlesOf = (menu: readonly MenuEntry[]): [string, string][] =>
  menu.flatMap((entry) => [
    ...(entry.routeKey ? [[routeKeyOf(entry.routeKey), entry.titleName] as [string, string]] : []),
    ...titlesOf(entry.children ?? []),
  ]);

/** Tab 操作日志: what was done, newest first; today unless another time is asked for. */
export function Operations() {
  const { search, path } = use(PageContext);
  const menu = useSession((state) => state.userRoleMenu);
  const roles = useRoles();
  const titles = useMemo(
    () => new Map([...identityRoutes.map(({ path: route, title }) => [routeKeyOf(route), title] as const), ...titlesOf(menu)]),
    [menu],
  );
  const opens = useMemo(() => new Set(titlesOf(menu).map(([key]) => key)), [menu]);
  const filters = useMemo(
    () =>
      operationFilters(
        (roles ?? []).map(({ roleCode, name }) => ({ value: roleCode, label: name })),
        titlesOf(menu).map(([value, label]) => ({ value, label })),
      ),
    [roles, menu],
  );
  const columns = useMemo(() => operationColumns(titles, opens), [titles, opens]);
  const values = useMemo(() => readFilters(filters, search), [filters, search]);
  const filter = useMemo(() => {
    const { resultOk, ...rest } = inputOf(filters, values);
    return { ...rest, ...(resultOk !== undefined && { resultOk: resultOk === 'true' }) } as InputOf<typeof queryOperationLogList>;
  }, [filters, values]);
  const list = useCursorList(queryOperationLogList, filter, SIZE);
  const layers = useLayers();
  const goToValues = (next: Readonly<Record<string, FilterValue>>, view: string | undefined) => {
    goTo(path, { ...next, ...(view !== undefined && { [VIEW_PARAM]: view }) }, { replace: true });
    void list.refetch();
  };
  const views = useViews({ routeKey: SETTINGS, search, values, go: goToValues });
  return (
    <div className="kq-list">
      <SearchForm
        filters={filters}
        values={values}
        onSearch={(next) => goToValues(next, views.current?.name)}
        onReset={() => goTo(path, {}, { replace: true })}
        views={views}
      />
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <ExportButton
            call={exportOperationLog}
            view={{ filters: filter, ...(list.rows?.length === 0 && { total: 0 }) }}
            permission={may['log.export']}
          />
        </div>
        <div className="kq-toolbar-end">
          <RefreshButton busy={list.fetching} onRefresh={() => void list.refetch()} />
          <ColumnSettings columns={columns} arrangement={views.arrangement} />
        </div>
      </div>
      <DataTable<LogRow>
        columns={columns}
        rows={list.rows}
        loading={list.fetching}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty="所选时间内没有符合条件的操作日志"
        arrangement={views.arrangement}
        onRowClick={({ id }) => layers.open((close) => <LogDrawer id={id} titles={titles} onClose={close} />)}
      />
      <div className="kq-table-foot">
        <span className="kq-table-total">{list.rows && `${showTotal(list.total)}，第${list.pageNo}页，每页${SIZE}条`}</span>
        <span className="kq-row">
          <Button
            type="text"
            size="small"
            icon={<LeftOutlined />}
            aria-label="上一页"
            disabled={!list.backwards || list.fetching}
            onClick={list.backwards}
          />
          <Button
            type="text"
            size="small"
            icon={<RightOutlined />}
            aria-label="下一页"
            disabled={!list.forwards || list.fetching}
            onClick={list.forwards}
          />
        </span>
      </div>
      {layers.shown}
    </div>
  );
}
