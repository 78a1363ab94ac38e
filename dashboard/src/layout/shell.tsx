import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { LogOut, Menu, Moon, Sun } from "lucide-react";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { onSwitched, read } from "../api/client.ts";
import { useLiveEvents } from "../api/live-events.ts";
import { sessionQuery } from "../api/session.ts";
import { forgetEntries } from "../parts/entry-state.ts";
import { Failure } from "../parts/failure.tsx";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { useFocusKeeper } from "./focus-keeper.ts";
import { OrganizationSwitch } from "./organization-switch.tsx";
import { Navigation } from "./navigation.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { toggleTheme } from "./theme.ts";

/** The frame of every page behind the sign-in. */
export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  useLiveEvents(session.organization.id);
  const content = useRef<HTMLElement>(null);
  useFocusKeeper(content);
  const menu = useMenu();
  const isSwitched = useSwitched();

  // The links go away with the menu, so the focus goes where they lead.
  function leaveMenu() {
    if (menu.isOpen) content.current?.focus();
    menu.close();
  }

  // The router would take the link for a page of its own and put the focus back to the top.
  function skip(event: MouseEvent) {
    event.preventDefault();
    content.current?.focus();
  }

  return (
    <div className="shell">
      <SignInAgain />
      <a className="skip-link" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <aside ref={menu.sidebar} className="sidebar" data-open={menu.isOpen}>
        <Link to="/" className="brand">
          <img src="/console/waypost.svg" alt="" />
          Waypost
        </Link>
        <Navigation onNavigate={leaveMenu} />
        <SidebarFoot organizationId={session.organization.id} email={session.person.email} />
      </aside>
      <div className="main">
        <header className="topbar">
          <button
            type="button"
            className="button quiet icon menu-button"
            aria-label="Menu"
            aria-expanded={menu.isOpen}
            ref={menu.button}
            onClick={menu.toggle}
          >
            <Menu aria-hidden />
          </button>
          <EnvironmentSwitch />
          <span className="spacer" />
          <a href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>
        </header>
        <main id="content" ref={content} className="page" tabIndex={-1}>
          {isSwitched && (
            <p className="notice warn" role="alert">
              <strong>In another tab you switched to {session.organization.name}.</strong>
              This page shows it now. What was not finished here was not done.
            </p>
          )}
          {/* What was begun for one organization must not end in another. */}
          <Outlet key={session.organization.id} />
        </main>
      </div>
    </div>
  );
}

/** Who is signed in, to which organization, and the way out. */
function SidebarFoot({ organizationId, email }: { organizationId: string; email: string }) {
  const signOut = useMutation({
    mutationFn: () => read("/session", { method: "DELETE" }),
    onSuccess() {
      forgetEntries();
      location.assign("/console/sign-in");
    },
  });
  return (
    <div className="sidebar-foot">
      {signOut.isError && <Failure error={signOut.error} />}
      <div>
        <OrganizationSwitch key={organizationId} />
        <div className="faint">{email}</div>
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
  );
}

/** Whether another tab has switched the organization or the person, until another page is opened. */
function useSwitched(): boolean {
  const { pathname } = useLocation();
  const [on, setOn] = useState<string>();
  useEffect(() => onSwitched(() => setOn(pathname)), [pathname]);
  return on === pathname;
}

/** The menu of narrow screens: opening it leads the keys into it, and Escape leads them back. */
function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const sidebar = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    sidebar.current?.querySelector("a")?.focus();
    const leave = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("keydown", leave);
    return () => document.removeEventListener("keydown", leave);
  }, [isOpen]);
  return { isOpen, sidebar, button, close: () => setOpen(false), toggle: () => setOpen(!isOpen) };
}
