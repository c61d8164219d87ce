import { Button, Tag } from 'antd';
import { useRef } from 'react';
import { floorTypes, leftOutReasons } from '../../contract/floors/dictionaries.ts';
import { deliveryReasons } from '../../contract/delivery/dictionaries.ts';
import type { PagePreview } from '../../contract/releases/calls.ts';
import { moved } from '../marks/moved.ts';
import type { DraftFloor } from './draftFloor.ts';

interface FloorCanvasProps {
  floors: readonly DraftFloor[];
  /** The same floors, and the places of the page, as they are seen in the preview. */
  shown: PagePreview | undefined;
  chosenId: string | null;
  editable: boolean;
  /** A copy was just asked for. */
  copying: boolean;
  onChoose(id: string): void;
  onSort(ids: string[]): void;
  /** A type that was dragged in from beside. */
  onDropType(): void;
  onEdit(floor: DraftFloor): void;
  onCopy(floor: DraftFloor): void;
  onHide(floor: DraftFloor): void;
  onRemove(floor: DraftFloor): void;
}

/** The page as wide as a phone; what is left out is grey and says why. */
export function FloorCanvas({ floors, shown, chosenId, editable, copying, ...on }: FloorCanvasProps) {
  const dragged = useRef<string | null>(null);
  const drop = (over: string) => {
    const order = moved(
      floors.map(({ id }) => id),
      dragged.current,
      over,
    );
    dragged.current = null;
    if (order) on.onSort(order);
    else on.onDropType();
  };
  return (
    <div
      className="fl-canvas"
      onDragOver={(event) => event.preventDefault()}
      onDrop={() => {
        if (dragged.current === null) on.onDropType();
        dragged.current = null;
      }}
    >
      {floors.length === 0 && <div className="kq-empty">页面没有任何楼层</div>}
      {floors.map((floor) => {
        const seen = shown?.floors.find(({ floorKey }) => floorKey === floor.floorKey);
        const place = shown?.positions.find(({ positionCode }) => positionCode === seen?.positionCode);
        return (
          <article
            key={floor.id}
            className="fl-floor"
            style={floor.background ? { background: floor.background } : undefined}
            data-left-out={seen?.reason ? 'true' : undefined}
            aria-current={floor.id === chosenId}
            draggable={editable}
            onDragStart={() => (dragged.current = floor.id)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.stopPropagation();
              drop(floor.id);
            }}
          >
            <button type="button" className="fl-head" onClick={() => on.onChoose(floor.id)}>
              <span>{floor.floorName}</span>
              <span className="kq-muted">{floorTypes.label(floor.floorType)}</span>
              {seen?.reason && (
                <Tag>
                  {leftOutReasons.label(seen.reason)}
                  {seen.detail && `：${seen.detail}`}
                </Tag>
              )}
              {floor.dataMode === 'RULE' && <Tag color="blue">按规则</Tag>}
            </button>
            {floor.showTitle && floor.title && <h4>{floor.title}</h4>}
            <div className="fl-contents" data-type={floor.floorType} data-layout={floor.floorType === 'BANNER' ? 'CAROUSEL' : floor.layout}>
              {(seen?.items ?? []).map((item, index) => (
                <span key={index} data-left-out={item.reason ? 'true' : undefined}>
                  {item.imageUrl && <img src={item.imageUrl} alt={item.title} />}
                  {floor.floorType === 'ICON_GRID' && !item.imageUrl && (
                    <span className="fl-letter" aria-hidden>
                      {(item.objectName ?? (item.title || item.objectNo))?.slice(0, 1)}
                    </span>
                  )}
                  {item.objectName ?? (item.title || item.objectNo)}
                  {item.reason && `（${leftOutReasons.label(item.reason)}）`}
                </span>
              ))}
              {place?.items.map((item) => (
                <span key={item.id} data-left-out={item.reason ? 'true' : undefined}>
                  {item.imageUrl && <img src={item.imageUrl} alt={item.name} />}
                  {item.name}
                  {item.reason && `（${deliveryReasons.label(item.reason)}${item.detail ? `：${item.detail}` : ''}）`}
                </span>
              ))}
              {place && place.items.length === 0 && <span className="kq-muted">该位置没有投放</span>}
            </div>
            {editable && floor.id === chosenId && (
              <div className="kq-row">
                <Button size="small" onClick={() => on.onEdit(floor)}>
                  编辑
                </Button>
                <Button size="small" disabled={copying} onClick={() => on.onCopy(floor)}>
                  复制
                </Button>
                <Button size="small" onClick={() => on.onHide(floor)}>
                  {floor.hidden ? '显示' : '隐藏'}
                </Button>
                <Button size="small" danger onClick={() => on.onRemove(floor)}>
                  删除
                </Button>
              </div>
            )}
          </article>
        );
      })}
    </div>
  );
}
