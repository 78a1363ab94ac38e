import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { LogOut, Menu, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { read } from "../api/client.ts";
import { useLiveEvents } from "../api/live-events.ts";
import { sessionQuery } from "../api/session.ts";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { OrganizationSwitch } from "./organization-switch.tsx";
import { Navigation } from "./navigation.tsx";
import { toggleTheme } from "./theme.ts";

/** The frame of every page behind the sign-in. */
export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  useLiveEvents(session.organization.id);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const signOut = useMutation({
    mutationFn: () => read("/session", { method: "DELETE" }),
    onSettled: () => location.assign("/console/sign-in"),
  });

  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <aside className="sidebar" data-open={isMenuOpen}>
        <Link to="/" className="brand">
          <img src="/console/waypost.svg" alt="" />
          Waypost
        </Link>
        <Navigation onNavigate={() => setMenuOpen(false)} />
        <div className="sidebar-foot">
          <div>
            <OrganizationSwitch />
            <div className="faint">{session.person.email}</div>
          </div>
          <div className="row">
            <button type="button" className="button quiet icon" onClick={toggleTheme} aria-label="Light or dark">
              <Sun aria-hidden className="when-dark" />
              <Moon aria-hidden className="when-light" />
            </button>
            <button type="button" className="button quiet" onClick={() => signOut.mutate()}>
              <LogOut aria-hidden />
              Sign out
            </button>
          </div>
        </div>
      </aside>
      <div className="main">
        <header className="topbar">
          <button
            type="button"
            className="button quiet icon menu-button"
            aria-label="Menu"
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            <Menu aria-hidden />
          </button>
          <EnvironmentSwitch />
          <span className="spacer" />
          <a href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>
        </header>
        <main id="content" className="page" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}
