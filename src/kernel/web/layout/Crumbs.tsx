import type { RouteDeclaration } from '../../contract/route.ts';
import { PageLink } from '../kit/PageLink.tsx';
import { allRoutes } from '../router/pages.ts';

/** Parent trail and title of the page; a list above it is a link. */
export function Crumbs({ route }: { route: RouteDeclaration }) {
  return (
    <nav className="kq-crumbs" aria-label="当前位置">
      {route.trail.map((title) => {
        const parent = allRoutes().find((other) => other.title === title && other.path !== route.path);
        return <span key={title}>{parent ? <PageLink to={parent.path}>{title}</PageLink> : title}</span>;
      })}
      <span aria-current="page">{route.title}</span>
    </nav>
  );
}
