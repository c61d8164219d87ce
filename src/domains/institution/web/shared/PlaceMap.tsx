import { useRef } from 'react';
import { boxOf, type Point } from '../../contract/geometry.ts';
import './institution.css';

const WIDTH = 560;
const HEIGHT = 240;
const METRES = 111_195;
/** Half of the width shown, in metres, when a point is known. */
const AROUND_M = 3_000;

interface PlaceMapProps {
  adcode: string | null;
  point: Point | null;
  /** Absent: the pin cannot be moved. */
  onMove?(point: Point): void;
  /** Circle of delivery, in metres. */
  radiusM?: number | null;
  others?: readonly { id: string; name: string; lngE6: number; latE6: number; state?: string }[];
}

/** The greatest of 1, 2, 5, 10, 20 … metres that a length holds. */
function roundScale(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, metres)));
  return ([5, 2, 1].find((digit) => digit * power <= metres) ?? 1) * power;
}

/** A plain map without tiles: grid, scale, a pin that can be dragged or set by a click, a circle, other places. */
export function PlaceMap({ adcode, point, onMove, radiusM, others = [] }: PlaceMapProps) {
  const svg = useRef<SVGSVGElement>(null);
  const dragging = useRef(false);
  const box = adcode ? boxOf(adcode) : null;
  const spread =
    others.length > 0
      ? {
          west: Math.min(...others.map(({ lngE6 }) => lngE6)),
          east: Math.max(...others.map(({ lngE6 }) => lngE6)),
          south: Math.min(...others.map(({ latE6 }) => latE6)),
          north: Math.max(...others.map(({ latE6 }) => latE6)),
        }
      : null;
  const centre = useRef<Point | null>(null);
  if (point && (!centre.current || !dragging.current)) centre.current = dragging.current ? centre.current : point;
  const middle =
    centre.current ??
    (spread
      ? { lngE6: (spread.west + spread.east) / 2, latE6: (spread.south + spread.north) / 2 }
      : box
        ? { lngE6: (box.west + box.east) / 2, latE6: (box.south + box.north) / 2 }
        : null);
  if (!middle) return <div className="kq-muted">选择地区或地址后可在图上选点</div>;
  const narrow = Math.cos((middle.latE6 / 1e6) * (Math.PI / 180));
  const half = point
    ? Math.max(AROUND_M, (radiusM ?? 0) * 1.2)
    : spread
      ? Math.max(
          AROUND_M,
          ((spread.east - spread.west) / 1e6 / 2) * METRES * narrow * 1.2,
          ((spread.north - spread.south) / 1e6 / 2) * METRES * 1.2 * (WIDTH / HEIGHT),
        )
      : box
        ? ((box.east - box.west) / 1e6 / 2) * METRES * narrow
        : AROUND_M;
  const perPixel = (half * 2) / WIDTH;
  const xOf = (lngE6: number) => WIDTH / 2 + (((lngE6 - middle.lngE6) / 1e6) * METRES * narrow) / perPixel;
  const yOf = (latE6: number) => HEIGHT / 2 - (((latE6 - middle.latE6) / 1e6) * METRES) / perPixel;
  const move = (event: { clientX: number; clientY: number }) => {
    const place = svg.current?.getBoundingClientRect();
    if (!place || !onMove) return;
    const x = ((event.clientX - place.left) / place.width) * WIDTH;
    const y = ((event.clientY - place.top) / place.height) * HEIGHT;
    onMove({
      lngE6: Math.round(middle.lngE6 + (((x - WIDTH / 2) * perPixel) / METRES / narrow) * 1e6),
      latE6: Math.round(middle.latE6 - (((y - HEIGHT / 2) * perPixel) / METRES) * 1e6),
    });
  };
  const scale = roundScale(half / 3);
  return (
    <svg
      ref={svg}
      className="in-map"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="位置示意图"
      style={{ cursor: onMove ? 'crosshair' : 'default' }}
      onPointerDown={(event) => {
        if (!onMove) return;
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        move(event);
      }}
      onPointerMove={(event) => dragging.current && move(event)}
      onPointerUp={() => (dragging.current = false)}
    >
      {Array.from({ length: 7 }, (_, index) => (
        <line key={`v${index}`} x1={index * 93.3} x2={index * 93.3} y1={0} y2={HEIGHT} stroke="currentColor" opacity={0.07} />
      ))}
      {Array.from({ length: 4 }, (_, index) => (
        <line key={`h${index}`} x1={0} x2={WIDTH} y1={index * 80} y2={index * 80} stroke="currentColor" opacity={0.07} />
      ))}
      {others.map((other) => (
        <g key={other.id}>
          <circle
            cx={xOf(other.lngE6)}
            cy={yOf(other.latE6)}
            r={4}
            fill={other.state === 'OPEN' || other.state === 'ENABLED' ? '#16a34a' : '#94a3b8'}
          >
            <title>{other.name}</title>
          </circle>
        </g>
      ))}
      {point && radiusM ? (
        <circle cx={xOf(point.lngE6)} cy={yOf(point.latE6)} r={radiusM / perPixel} fill="#1677ff" opacity={0.1} stroke="#1677ff" />
      ) : null}
      {point && (
        <g transform={`translate(${xOf(point.lngE6)} ${yOf(point.latE6)})`}>
          <path d="M0 0 C-9 -12 -9 -24 0 -24 C9 -24 9 -12 0 0 Z" fill="#dc2626" />
          <circle cx={0} cy={-16} r={3.4} fill="#fff" />
        </g>
      )}
      <line x1={12} x2={12 + scale / perPixel} y1={HEIGHT - 12} y2={HEIGHT - 12} stroke="currentColor" opacity={0.5} />
      <text x={12} y={HEIGHT - 18}>
        {scale >= 1000 ? `${scale / 1000}公里` : `${scale}米`}
      </text>
    </svg>
  );
}
