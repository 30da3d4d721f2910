;;; parley-sign-in.el --- Signing in to servers  -*- lexical-binding: t; -*-

;;; Code:

(require 'parley-page)
(require 'parley-call)

(defun parley--insert-sign-in (question)
  "Insert what QUESTION, of a sign-in, asks and what for."
  (insert (propertize (parley--get question :words) 'face 'parley-host) "\n")
  (unless (seq-empty-p (parley--get question :scopes))
    (insert (propertize (concat "it asks for: " (string-join (append (parley--get question :scopes) nil) ", "))
                        'face 'parley-hint)
            "\n"))
  (when-let ((account (parley--get question :account)))
    (insert (propertize (concat "you signed in: " account) 'face 'parley-hint) "\n")))

(defun parley--sign-in-ways (question)
  "How QUESTION, of a sign-in, can be ended without one."
  (cons '("Not now: nobody signs in" . "decline") (parley--ways question nil)))

(defun parley--put-sign-in (question)
  "Put QUESTION, an ask/sign-in, to the person."
  (parley--show question
                (if (eql (parley--get question :status) 403) " you to allow more" " who you are")
                (lambda () (parley--insert-sign-in question)))
  (parley--answer question
                  (if (y-or-n-p (parley--get question :words))
                      "accept"
                    (parley--choose "This sign-in: "
                                    (append (parley--sign-in-ways question) '(("Sign in" . "accept")))))))

(defun parley--put-browser (question)
  "Put QUESTION, an ask/browser, to the person.  Nothing opens without consent."
  (parley--show question " you to sign in"
                (lambda ()
                  (parley--insert-sign-in question)
                  (parley--insert-address question)))
  (if (y-or-n-p (format "Open %s in the browser? " (parley--get question :host)))
      (parley--answer question "accept")
    (pcase (parley--choose "This page: "
                           (append '(("I will open it myself: copy the address" . copy) ("Open the page" . "accept"))
                                   (parley--sign-in-ways question)))
      ('copy (kill-new (parley--get question :url))
             (parley--answer question "accept" :opened t))
      (action (parley--answer question action)))))

;;;###autoload
(defun parley-sign-in (server)
  "Sign in to SERVER, an entry of `parley-servers'."
  (interactive (list (parley--read-server)))
  (parley--ask-helper-later 'login `(:server ,(parley--server server))
                            (lambda (account) (message "You are signed in at %s" (plist-get account :host)))))

;;;###autoload
(defun parley-sign-out (server)
  "Sign out of SERVER, an entry of `parley-servers'."
  (interactive (list (parley--read-server)))
  (parley--ask-helper-later 'logout `(:server ,(parley--server server))
                            (lambda (_) (message "You are signed out"))))

(provide 'parley-sign-in)
;;; parley-sign-in.el ends here
