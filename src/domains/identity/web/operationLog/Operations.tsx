import { Button } from 'antd';
import { lazy, use, useMemo } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { routeKeyOf } from '#kernel/contract/route.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ColumnSettings } from '#kernel/web/kit/ColumnSettings.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { inputOf, readFilters } from '#kernel/web/list/filters.ts';
import type { FilterValue } from '#kernel/web/list/filters.ts';
import { SearchForm } from '#kernel/web/list/SearchForm.tsx';
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
  const searchWith = (next: Readonly<Record<string, FilterValue>>) => {
    goTo(path, { ...next }, { replace: true });
    void list.refetch();
  };
  return (
    <div className="kq-list">
      <SearchForm
        filters={filters}
        values={values}
        onSearch={searchWith}
        onReset={() => goTo(path, {}, { replace: true })}
        viewsKey={SETTINGS}
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
          <Button onClick={() => void list.refetch()} loading={list.fetching && list.rows !== undefined}>
            刷新
          </Button>
          <ColumnSettings columns={columns} settingKey={SETTINGS} />
        </div>
      </div>
      <DataTable<LogRow>
        columns={columns}
        rows={list.rows}
        loading={list.fetching}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty="所选时间内没有符合条件的操作日志"
        settingKey={SETTINGS}
        onRowClick={({ id }) => layers.open((close) => <LogDrawer id={id} titles={titles} onClose={close} />)}
      />
      <div className="kq-table-foot">
        <span className="kq-table-total">
          第{list.pageNo}页，每页{SIZE}条
        </span>
        <span className="kq-row">
          <Button size="small" disabled={!list.backwards || list.fetching} onClick={list.backwards}>
            上一页
          </Button>
          <Button size="small" disabled={!list.forwards || list.fetching} onClick={list.forwards}>
            下一页
          </Button>
        </span>
      </div>
      {layers.shown}
    </div>
  );
}
