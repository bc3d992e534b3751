import { Component, type ComponentType, type ErrorInfo, type ReactNode, useContext } from "react";
import { createRoot } from "react-dom/client";
import { EventLoopContext, EventLoopProvider, StateProvider } from "$/utils/context";
import { t, useLanguage } from "$/public/external/walletmodal/components/language/language/language.ts";
import "./mount.css";

/** What is seen when a view raises: a card from which the page loads anew, with the visitor's state where it was. */
class ErrorCard extends Component<{ children: ReactNode }, { raised: boolean; open: boolean }> {
  override state = { raised: false, open: false };

  static getDerivedStateFromError(): { raised: boolean; open: boolean } {
    return { raised: true, open: document.querySelector(".wm-overlay") !== null };
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo): void {
    error.stack = `${error.stack ?? error.message}\n${componentStack ?? ""}`;
    // Reflex tells the server what reaches the window.
    reportError(error);
    // What raised while it came had not said so yet; nobody waits for a card while the modal is closed.
    if (this.state.open) window.__walletmodal.post("shown", { visible: true });
  }

  override render(): ReactNode {
    if (!this.state.raised) return this.props.children;
    return (
      <div className="wm-overlay">
        <div className="wm-card" role="alertdialog" aria-labelledby="wm-title" aria-describedby="wm-raised">
          <div className="wm-raised">
            <div className="wm-words">
              <h1 className="wm-heading" id="wm-title">
                {t("Something went wrong")}
              </h1>
              <p className="wm-text" id="wm-raised">
                {t("This view could not be shown. Loading it again keeps your place.")}
              </p>
            </div>
            <button type="button" className="wm-button" data-variant="accent" data-size="md" onClick={() => window.location.reload()}>
              <span className="wm-button-label">{t("Load again")}</span>
            </button>
            <button
              type="button"
              className="wm-button"
              data-variant="neutral"
              data-size="md"
              onClick={() => window.__walletmodal.post("shown", { visible: false })}
            >
              <span className="wm-button-label">{t("button\u0004Close")}</span>
            </button>
          </div>
        </div>
      </div>
    );
  }
}

/** A mark in the corner while the server cannot be reached. */
function Offline() {
  const [, failures] = useContext(EventLoopContext);
  if (failures.length === 0) return null;
  return (
    <svg className="wm-offline" viewBox="0 0 24 24" role="img" aria-label={t("Connection error")}>
      <path d="M12 20h.01M8.5 16.4a5 5 0 0 1 7 0M5 12.9a10 10 0 0 1 5.2-2.7M19 12.9a10 10 0 0 0-2-1.5M2 8.8a15 15 0 0 1 4.2-2.6M22 8.8a15 15 0 0 0-11.3-3.8M2 2l20 20" />
    </svg>
  );
}

/** The page, drawn anew in another language. */
function Spoken({ Page }: { Page: ComponentType }) {
  useLanguage();
  return <Page />;
}

/** Renders a page inside what Reflex's own root gives it: the states, and the event loop with its socket. */
export function mount(Page: ComponentType): void {
  createRoot(document.getElementById("root") as HTMLElement).render(
    <StateProvider>
      <EventLoopProvider>
        <ErrorCard>
          <Offline />
          <Spoken Page={Page} />
        </ErrorCard>
      </EventLoopProvider>
    </StateProvider>,
  );
}
