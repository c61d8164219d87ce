import type { RouteDeclaration } from '../../contract/route.ts';
import { pagesAbove } from '../../contract/route.ts';
import { PageLink } from '../kit/PageLink.tsx';
import { allRoutes } from '../router/pages.ts';

/** Path of a page: the menu's directories, the pages above it as links, its own title. */
export function Crumbs({ route, title }: { route: RouteDeclaration; title: string }) {
  const above = pagesAbove(route, allRoutes());
  const trail = (above[0] ?? route).trail;
  const whole = [...trail, ...above.map((page) => page.title), title].join(' / ');
  return (
    <nav className="kq-crumbs" aria-label="当前位置" title={whole}>
      {trail.map((directory) => (
        <span key={directory}>{directory}</span>
      ))}
      {above.map((page) => (
        <span key={page.path}>
          <PageLink to={page.path}>{page.title}</PageLink>
        </span>
      ))}
      <span aria-current="page">
        <h1>{title}</h1>
      </span>
    </nav>
  );
}
