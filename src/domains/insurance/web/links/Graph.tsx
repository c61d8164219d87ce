import { Drawer } from 'antd';
import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryProductGraph } from '../../contract/links/calls.ts';
import { linkTypes } from '../../contract/links/dictionaries.ts';
import './links.css';

const [WIDTH, BOX, TALL, STEP] = [700, 190, 44, 74];

/** A product with those that it is related to; a click on one puts it into the middle. */
export function Graph({ productId, onClose }: { productId: string; onClose(): void }) {
  const [centre, setCentre] = useState(productId);
  const query = useData(queryProductGraph, { productId: centre }, { quiet: true });
  const { data } = query;
  const others = (data?.nodes ?? []).filter(({ id }) => id !== centre);
  const middle = data?.nodes.find(({ id }) => id === centre);
  const height = Math.max(320, others.length * STEP + 20);
  const placeOf = (index: number) => 20 + index * STEP;
  const midY = height / 2 - TALL / 2;
  return (
    <Drawer open size={760} title="产品关系图" onClose={onClose} destroyOnHidden>
      {!data || !middle ? (
        <Waiting for={query} />
      ) : (
        <>
          <svg className="ins-graph" viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label={`${middle.productName}的关系图`}>
            {others.map((node, index) => (
              <line key={node.id} x1={BOX + 10} y1={midY + TALL / 2} x2={WIDTH - BOX - 10} y2={placeOf(index) + TALL / 2} />
            ))}
            {others.map((node, index) => {
              const edge = data.edges.find((one) => one.mainProductId === node.id || one.otherProductId === node.id);
              return (
                edge && (
                  <text key={edge.linkId} x={WIDTH / 2 + 20} y={(midY + placeOf(index)) / 2 + TALL / 2 - 4} textAnchor="middle">
                    {edge.mainProductId === centre ? '' : '被'}
                    {linkTypes.label(edge.linkType)}
                  </text>
                )
              );
            })}
            <g className="ins-node-on">
              <rect x={10} y={midY} width={BOX} height={TALL} rx={6} />
              <text x={20} y={midY + 27}>
                {middle.productName.slice(0, 13)}
              </text>
            </g>
            {others.map((node, index) => (
              <g
                key={node.id}
                role="button"
                tabIndex={0}
                aria-label={`以${node.productName}为中心`}
                onClick={() => setCentre(node.id)}
                onKeyDown={({ key }) => key === 'Enter' && setCentre(node.id)}
              >
                <rect x={WIDTH - BOX - 10} y={placeOf(index)} width={BOX} height={TALL} rx={6} />
                <text x={WIDTH - BOX} y={placeOf(index) + 27}>
                  {node.productName.slice(0, 13)}
                </text>
              </g>
            ))}
          </svg>
          <table className="kq-facts-table">
            <thead>
              <tr>
                <th scope="col">主产品</th>
                <th scope="col">关系</th>
                <th scope="col">产品</th>
                <th scope="col">参数</th>
              </tr>
            </thead>
            <tbody>
              {data.edges.length === 0 && (
                <tr>
                  <td colSpan={4} className="kq-muted">
                    该产品没有附加或关联关系
                  </td>
                </tr>
              )}
              {data.edges.map((edge) => (
                <tr key={edge.linkId}>
                  <td>{data.nodes.find(({ id }) => id === edge.mainProductId)?.productName}</td>
                  <td>{linkTypes.label(edge.linkType)}</td>
                  <td>{data.nodes.find(({ id }) => id === edge.otherProductId)?.productName}</td>
                  <td>{edge.summary || '—'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Drawer>
  );
}
