;;; parley-page.el --- Pages that a server wants opened  -*- lexical-binding: t; -*-

;;; Code:

(require 'parley-questions)
(require 'browse-url)

(defun parley--insert-address (question)
  "Insert the address of QUESTION, its host standing out."
  (pcase-let ((`[,before ,host ,after] (parley--get question :parts)))
    (insert before (propertize host 'face 'parley-address) after "\n")
    (unless (string-empty-p host)
      (insert "host: " (propertize host 'face 'parley-address) "\n")))
  (when (parley--true (parley--get question :punycode))
    (insert (propertize "The name of this host stands for letters beyond a to z: what a browser shows may look like another name."
                        'face 'parley-problem)
            "\n"))
  (when (parley--true (parley--get question :loopback))
    (insert (propertize "This page is on your own computer." 'face 'parley-hint) "\n")))

(defun parley--open (question)
  "Open the page of QUESTION and return whether that worked."
  (condition-case problem
      (progn (browse-url (parley--get question :url)) t)
    (error (message "The page did not open: %s" (error-message-string problem)) nil)))

(defun parley--put-page (question)
  "Put QUESTION, an ask/url, to the person.  Nothing opens without consent."
  (let ((again (parley--true (parley--get question :repeat))))
    (parley--show question
                  (if again " the same again: it still waits for what you do on its page" " to open a page")
                  (lambda () (parley--insert-address question)))
    (if (and (not again)
             (y-or-n-p (format "Open this page of %s in the browser? " (car (last (split-string (aref (parley--get question :parts) 1) "\n"))))))
        (when (parley--open question)
          (parley--answer question "accept"))
      (while (not (parley-question-over question))
        (pcase (parley--choose
                "This page: "
                (append (if again '(("I am done: check again" . "accept")) '(("I will open it myself: copy the address" . copy)))
                        '(("Open the page" . open))
                        (parley--ways question t)))
          ('open (and (parley--open question) (not again) (parley--answer question "accept")))
          ('copy (kill-new (parley--get question :url)) (parley--answer question "accept"))
          (action (parley--answer question action)))))))

(provide 'parley-page)
;;; parley-page.el ends here
