import { Button, Space } from 'antd';
import { lazy, useEffect, useState } from 'react';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useList } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Pager } from '#kernel/web/kit/Pager.tsx';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { hospitalLevels } from '../../contract/dictionaries.ts';
import { ignoreDuplicatePair, queryDuplicatePairList, exportDuplicateHospital } from '../../contract/duplicateCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';

const MergeDialog = lazy(async () => ({ default: (await import('./MergeDialog.tsx')).MergeDialog }));

type Pair = OutputOf<typeof queryDuplicatePairList>;
const SIZE = 10;

/** Tab 疑似重复: pairs side by side, by keyboard. */
export function Pairs() {
  const [city, setCity] = useState<string | null>(null);
  const [pageNo, setPageNo] = useState(1);
  const [at, setAt] = useState(0);
  const layers = useLayers();
  const allowed = useMay();
  const filters = { ...(city && { cityAdcode: city }) };
  const list = useList(queryDuplicatePairList, { ...filters, pageNo, pageSize: SIZE }, { quiet: true });
  const rows = list.rows;
  const ignore = useCommand(ignoreDuplicatePair, { refreshes: [queryDuplicatePairList], success: 'message', blockMs: 300 });
  useEffect(() => setAt((place) => Math.max(0, Math.min(place, (rows?.length ?? 1) - 1))), [rows]);
  const current = rows?.[at];
  const merge = ({ a, b }: Pair) => {
    const hospitals = [a, b].map(({ hospitalId, name }) => ({ id: hospitalId, name }));
    layers.open((close) => <MergeDialog hospitals={hospitals} onClose={close} />);
  };
  const pass = async (pair: Pair) => {
    if (await ask({ content: `确定“${pair.a.name}”与“${pair.b.name}”不是同一家医院吗?` }))
      await ignore.run({ leftId: pair.a.hospitalId, rightId: pair.b.hospitalId });
  };
  const mine = allowed(may['hospital.merge']);
  useKeys([
    { keys: 'J', label: '下一对', act: () => setAt(Math.min(at + 1, (rows?.length ?? 1) - 1)) },
    { keys: 'K', label: '上一对', act: () => setAt(Math.max(at - 1, 0)) },
    ...(mine
      ? [
          { keys: 'M', label: '合并这一对', act: () => current && merge(current) },
          { keys: 'I', label: '忽略这一对', act: () => current && void pass(current) },
        ]
      : []),
  ]);
  return (
    <div className="kq-list">
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <span style={{ width: 260 }}>
            <RegionPicker
              aria-label="地区"
              value={city}
              onChange={(next) => {
                setCity(next ? `${next.slice(0, 4)}00` : null);
                setPageNo(1);
              }}
              placeholder="全部城市"
            />
          </span>
          <ExportButton
            call={exportDuplicateHospital}
            view={{ filters, total: list.total, pageNo, pageSize: SIZE }}
            permission={may['hospital.export']}
          />
        </div>
        <span className="kq-muted">J/K 移动　{mine && 'M 合并　I 忽略'}</span>
      </div>
      <div className="in-scroll">
        {list.error ? (
          <TableFailure error={list.error} onRetry={() => void list.refetch()} />
        ) : !rows?.length ? (
          <TableEmpty loading={rows === undefined}>没有疑似重复的医院</TableEmpty>
        ) : (
          rows.map((pair, index) => (
            <div key={pair.key} className={index === at ? 'in-pair in-pair-on' : 'in-pair'} onClick={() => setAt(index)}>
              <Side side={pair.a} />
              <div className="in-score">
                <b className={pair.score >= 80 ? 'kq-danger' : ''}>{pair.score}</b>
                <Can permission={may['hospital.merge']}>
                  <Space orientation="vertical" size={4}>
                    <Button size="small" type="primary" onClick={() => merge(pair)}>
                      合并
                    </Button>
                    <Button size="small" onClick={() => void pass(pair)}>
                      忽略
                    </Button>
                  </Space>
                </Can>
              </div>
              <Side side={pair.b} />
              <div className="kq-muted" style={{ gridColumn: '1 / -1' }}>
                {pair.why.join('；')}
              </div>
            </div>
          ))
        )}
      </div>
      <Pager
        current={pageNo}
        pageSize={SIZE}
        total={Math.min(list.total, 10_000)}
        showSizeChanger={false}
        showTotal={(total) => `共 ${total} 对`}
        onChange={setPageNo}
      />
      {layers.shown}
    </div>
  );
}

const Side = ({ side }: { side: Pair['a'] }) => (
  <div>
    <div>
      <b>{side.name}</b> <Dict of={hospitalLevels} code={side.level} />
    </div>
    <div className="kq-muted">
      {side.hospitalNo}　{side.phone || '无电话'}
    </div>
    <div className="kq-muted">{side.address || '无地址'}</div>
    <div className="kq-muted">
      医生{side.doctorCount}　科室{side.departmentCount}　{side.uscc ?? '无信用代码'}
    </div>
  </div>
);
