import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, useMemo, useState } from 'react';
import type { DragEvent } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { querySceneList } from '../../contract/sceneCalls.ts';
import { queryScheduleList, sortSchedule, type ScheduleRow } from '../../contract/scheduleCalls.ts';
import { useCorpusCommand } from '../useCorpusCommand.ts';
import type { AnyScene } from '../data.ts';
import { axisColumns } from './axis.ts';
import { useMaterials } from '../materials/Thumb.tsx';
import { ScheduleCard } from './ScheduleCard.tsx';

const ScheduleDrawer = lazy(async () => ({ default: (await import('./ScheduleDrawer.tsx')).ScheduleDrawer }));
const ScheduleFacts = lazy(async () => ({ default: (await import('./ScheduleFacts.tsx')).ScheduleFacts }));

/** 日程: a horizontal axis of days with the items that are sent on them; dragging a card changes its day. */
export function ScheduleAxis({ scene, readOnly }: { scene: AnyScene; readOnly: boolean }) {
  const { scenePackageId } = scene;
  const { data, error, refetch } = useData(queryScheduleList, { scenePackageId, pageNo: 1, pageSize: 999 }, { quiet: true });
  const layers = useLayers();
  const add = (day: number) => layers.open((close) => <ScheduleDrawer scene={scene} item={null} day={day} onClose={close} />);
  const open = (item: ScheduleRow) =>
    layers.open((close) =>
      readOnly ? <ScheduleFacts item={item} onClose={close} /> : <ScheduleDrawer scene={scene} item={item} day={0} onClose={close} />,
    );
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [target, setTarget] = useState<number>();
  const columns = useMemo(() => axisColumns(data?.rows ?? [], unfolded), [data, unfolded]);
  const materials = useMaterials(data?.rows.flatMap(({ materialIds }) => materialIds) ?? []);
  const { run } = useCorpusCommand({ call: sortSchedule, success: '修改成功!', refreshes: [queryScheduleList, querySceneList] });

  const drop = (event: DragEvent, day: number) => {
    event.preventDefault();
    setTarget(undefined);
    const item = data?.rows.find((row) => row.id === event.dataTransfer.getData('text/plain'));
    if (!item || item.dayOffset === day) return;
    void run(
      { scenePackageId, dataDetail: [{ id: item.id, dayOffset: day, version: item.version }] },
      {
        version: item.version,
        mine: { dayOffset: day },
        labels: { dayOffset: '天数', sendTime: '发送时间' },
        onReload: () => void refetch(),
      },
    );
  };

  return (
    <section className="kq-section">
      <div className="kq-section-head">
        <h3>日程</h3>
        {!readOnly && (
          <Button size="small" type="primary" icon={<PlusOutlined />} onClick={() => add(0)}>
            新增日程
          </Button>
        )}
      </div>
      <p className="kq-muted">第0天为患者进入场景的当天。{!readOnly && '拖动卡片可改变天数，点击卡片编辑。'}</p>
      {error && !data && <TableFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <div className="kq-loading" role="progressbar" aria-label="日程加载中" />}
      {data && (
        <div className="kq-axis" role="list" aria-label="日程轴">
          {columns.map((column) =>
            column.kind === 'gap' ? (
              <button
                key={`gap${column.from}`}
                type="button"
                className="kq-axis-gap"
                title={`展开第${column.from}天至第${column.to}天`}
                onClick={() => setUnfolded(new Set([...unfolded, column.from]))}
              >
                ⋯<span>{column.to - column.from + 1}天</span>
              </button>
            ) : (
              <div
                key={column.day}
                role="listitem"
                className={`kq-axis-day${target === column.day ? ' kq-axis-target' : ''}`}
                onDragOver={(event) => {
                  if (readOnly) return;
                  event.preventDefault();
                  setTarget(column.day);
                }}
                onDragLeave={() => setTarget(undefined)}
                onDrop={(event) => drop(event, column.day)}
              >
                <header>
                  第{column.day}天
                  {!readOnly && (
                    <button
                      type="button"
                      className="kq-axis-add"
                      aria-label={`第${column.day}天新增日程`}
                      title="新增日程"
                      onClick={() => add(column.day)}
                    >
                      +
                    </button>
                  )}
                </header>
                {column.items.map((item) => (
                  <ScheduleCard key={item.id} item={item} materials={materials} draggable={!readOnly} onOpen={() => open(item)} />
                ))}
              </div>
            ),
          )}
        </div>
      )}
      {data?.rows.length === 0 && <p className="kq-muted">还没有日程{!readOnly && '，点击“新增日程”或某一天的“+”添加'}</p>}
      {layers.shown}
    </section>
  );
}
