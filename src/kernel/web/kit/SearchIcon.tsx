/** A magnifying glass that every page loads: the icon library's own costs the login page half a kilobyte. */
export const SearchIcon = () => (
  <svg role="img" aria-label="搜索" width="1em" height="1em" viewBox="0 0 16 16" fill="none" stroke="currentColor">
    <path d="M14 14l-3.6-3.6M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9" />
  </svg>
);
